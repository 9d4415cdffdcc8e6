import { type Interface, createInterface, moveCursor } from 'node:readline';
import { printable } from './printable';

/** Reads and prints lines on a terminal, or on pipes, without overwriting the line that is being typed. */
export class Screen {
  private readonly lines: Interface;
  private isClosed = false;
  private readonly isTerminal = process.stdin.isTTY && process.stdout.isTTY;

  constructor(handlers: { onLine: (line: string) => void; onEnd: () => void }) {
    this.lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: this.isTerminal,
    });
    this.lines.on('line', (line) => {
      // The service sends the user's own message back, and it is printed then.
      if (this.isTerminal) moveCursor(process.stdout, 0, -1);
      this.print();
      handlers.onLine(line);
    });
    this.lines.on('SIGINT', handlers.onEnd);
    this.lines.on('close', () => {
      this.isClosed = true;
      handlers.onEnd();
    });
    // The output was closed, so end the chat.
    process.stdout.on('error', handlers.onEnd);
  }

  /** Shows a text before the line that is being typed. */
  setPrompt(text: string): void {
    this.lines.setPrompt(text);
    this.print();
  }

  /** Prints a message on one line. */
  printMessage(from: string, text: string): void {
    this.print(`${printable(from)}: ${printable(text)}`);
  }

  /** Prints a line above the line that is being typed; without an argument, redraws that line. */
  print(line?: string): void {
    if (!this.isTerminal) {
      if (line !== undefined) process.stdout.write(`${line}\n`);
      return;
    }
    process.stdout.write(`\r\u001b[J${line === undefined ? '' : `${line}\n`}`);
    if (!this.isClosed) this.lines.prompt(true);
  }

  close(): void {
    this.lines.close();
    if (this.isTerminal) process.stdout.write('\r\u001b[J');
  }
}
