/** A line that was typed and that the service has not yet stored. */
export interface Outgoing {
  /** Sent beside the frame; the service's answers to that frame carry it back. */
  ref: number;
  to: string;
  text: string;
  isSent: boolean;
}

/** The lines on their way, oldest first. */
export class Outbox {
  #lines: Outgoing[] = [];
  #lastRef = 0;
  #onEmpty: (() => void)[] = [];

  get lines(): readonly Outgoing[] {
    return this.#lines;
  }

  add(to: string, text: string): Outgoing {
    const line = { ref: (this.#lastRef += 1), to, text, isSent: false };
    this.#lines.push(line);
    return line;
  }

  /** The line is stored, or refused: there is nothing more to do for it. */
  settle(ref: unknown): Outgoing | undefined {
    const line = this.#lines.find((candidate) => candidate.ref === ref);
    this.#lines = this.#lines.filter((candidate) => candidate !== line);
    if (this.#lines.length === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
    return line;
  }

  /** After a lost connection: what was sent may have been stored or not, and its answer will not come. */
  get unanswered(): Outgoing[] {
    return this.#lines.filter((line) => line.isSent);
  }

  async empty(): Promise<void> {
    if (this.#lines.length === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
