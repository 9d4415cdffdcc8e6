/** The part of `process.stdout` that is used. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barWidth = 24;
const clearLine = '\r\u001b[2K';

/** Shows the steps of the start: in a terminal by a bar below all other lines, otherwise as lines. */
export class StartProgress {
  private bar = '';
  private begun = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly steps: number,
  ) {}

  /** Begins the next step. @param step such as `Starting the chat` */
  begin(step: string): void {
    if (this.terminal.isTTY !== true) {
      this.print(`${step}.`);
      return;
    }
    const filled = Math.floor((this.begun / this.steps) * barWidth);
    this.begun += 1;
    const text = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]  ${step}  ${this.begun} of ${this.steps} steps`;
    this.bar = text.slice(0, (this.terminal.columns ?? 80) - 1);
    this.terminal.write(`${clearLine}${this.bar}`);
  }

  print(line: string): void {
    const isShown = this.bar !== '';
    this.terminal.write(isShown ? `${clearLine}${line}\n${this.bar}` : `${line}\n`);
  }

  /** Removes the bar. */
  end(): void {
    if (this.bar !== '') this.terminal.write(clearLine);
    this.bar = '';
  }
}
