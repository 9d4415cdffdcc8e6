import { type ResponseAllowance } from '@waggle/service';

/**
 * What the answers to one request may still take, in bytes: of its own limit, and of the memory that all responses share. They
 * count as they come from nodes, so that what would be refused in the end does not fill the memory before; what is cached,
 * shared or made here counts when it is known.
 */
export class AnswerRoom {
  /** @param left of the whole request */
  constructor(
    private left: number,
    private readonly allowance?: ResponseAllowance,
  ) {}

  /** Whether bytes were refused for want of memory, rather than for the length of the answers. */
  get isMemoryFull(): boolean {
    return this.allowance?.refusal !== undefined;
  }

  /** @returns whether so many bytes fit; otherwise none are taken */
  take(bytes: number): boolean {
    if (bytes > this.left || this.allowance?.take(bytes) !== undefined) return false;
    this.left -= bytes;
    return true;
  }

  /** Gives back the bytes of an answer that came to nothing. */
  giveBack(bytes: number): void {
    this.left += bytes;
    this.allowance?.giveBack(bytes);
  }
}
