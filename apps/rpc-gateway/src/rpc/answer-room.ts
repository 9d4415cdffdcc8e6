/**
 * What the answers to one request may still take, in bytes. They count as they come from nodes, so that what would
 * be refused in the end does not fill the memory before; what is kept, shared or made here counts when it is known.
 */
export class AnswerRoom {
  /** @param left of the whole request */
  constructor(private left: number) {}

  /** @returns whether so many bytes fit; else none is taken */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  /** Of an answer that came to nothing. */
  giveBack(bytes: number): void {
    this.left += bytes;
  }
}
