import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { repositoryFolder } from './repository-folder';

/** How long to wait for a line. Everything may have to start first. */
const lineTimeoutMs = 240_000;

export interface CommandOptions {
  /** Whether it runs in a terminal instead of with pipes: by `script`, which Debian and Ubuntu always have. */
  hasTerminal?: boolean;
}

/** Runs a command for a test, as `npm start` and `npm run chat` do. */
export class Command {
  private readonly lines: string[] = [];
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;
  private onLine: () => void = () => undefined;

  /** @param script relative to the repository */
  constructor(
    script: string,
    args: string[],
    environment: NodeJS.ProcessEnv,
    { hasTerminal = false }: CommandOptions = {},
  ) {
    const words = [process.execPath, path.join(repositoryFolder, script), ...args];
    const [file = '', ...rest] = hasTerminal ? inTerminal(words) : words;
    this.child = spawn(file, rest, {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.ended = once(this.child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(stripVTControlCharacters(line));
        this.onLine();
      });
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return this.lines.join('\n');
  }

  /** Resolves with the first line that contains a text, now or later. */
  async line(text: string): Promise<string> {
    const timeout = AbortSignal.timeout(lineTimeoutMs);
    const late = once(timeout, 'abort');
    for (;;) {
      const found = this.lines.find((line) => line.includes(text));
      if (found !== undefined) return found;
      if (timeout.aborted || this.child.exitCode !== null) throw new Error(`no line "${text}" in:\n${this.output}`);
      await Promise.race([
        new Promise<void>((resolve) => {
          this.onLine = resolve;
        }),
        this.ended,
        late,
      ]);
    }
  }

  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Simulates Ctrl-C in a terminal, which signals every process of the group. */
  interrupt(): void {
    this.child.stdin?.write('\u0003');
  }

  /** Simulates Ctrl-D. */
  endInput(): void {
    this.child.stdin?.end();
  }

  /** Sends a signal, if given, and waits. @returns the exit code, or null if the command was killed */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.child.kill(signal);
    return await this.ended;
  }
}

/** Returns a command that runs these words in a terminal of 100 columns. */
function inTerminal(words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', `stty cols 100; exec ${quoted}`, '/dev/null'];
}
