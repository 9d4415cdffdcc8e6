import { type Interface, createInterface, moveCursor } from 'node:readline';
import { printable } from './printable';

/** The terminal, or the pipes in its place: lines in, lines out, without one garbling the other. */
export class Screen {
  readonly #lines: Interface;
  #isClosed = false;
  readonly #isTerminal = process.stdin.isTTY && process.stdout.isTTY;

  constructor(handlers: { onLine: (line: string) => void; onEnd: () => void }) {
    this.#lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: this.#isTerminal,
      prompt: '> ',
    });
    this.#lines.on('line', (line) => {
      // Our own line comes back from the service and is printed then, like everybody's.
      if (this.#isTerminal) moveCursor(process.stdout, 0, -1);
      this.print();
      handlers.onLine(line);
    });
    this.#lines.on('SIGINT', handlers.onEnd);
    this.#lines.on('close', () => {
      this.#isClosed = true;
      handlers.onEnd();
    });
    // Whoever read us is gone: there is nobody to talk to.
    process.stdout.on('error', handlers.onEnd);
  }

  /** A message of somebody, on one line, whatever is in it. */
  printMessage(from: string, text: string): void {
    this.print(`${printable(from)}: ${printable(text)}`);
  }

  /** A line of our own; what is being typed stays below it. Without one, the typing line is drawn anew. */
  print(line?: string): void {
    if (!this.#isTerminal) {
      if (line !== undefined) process.stdout.write(`${line}\n`);
      return;
    }
    process.stdout.write(`\r\u001b[J${line === undefined ? '' : `${line}\n`}`);
    if (!this.#isClosed) this.#lines.prompt(true);
  }

  close(): void {
    this.#lines.close();
    if (this.#isTerminal) process.stdout.write('\r\u001b[J');
  }
}
