import { type ResponseAllowance } from '@waggle/service';

/**
 * Limits the bytes of the responses to the calls of one HTTP request: by the request's own limit, and by the memory
 * that all responses share. Bytes from a node count as they arrive, so that a response that will not fit does not fill
 * the memory first. Responses that are cached, shared with another call or made here count once they are complete.
 */
export class RequestByteBudget {
  /** @param left bytes for the whole request */
  constructor(
    private left: number,
    private readonly allowance?: ResponseAllowance,
  ) {}

  /** Whether the memory of all responses was exhausted, rather than the limit of this request. */
  get isMemoryFull(): boolean {
    return this.allowance?.rejection !== undefined;
  }

  /** Takes the bytes, or none of them if they do not fit. @returns whether they fit */
  take(bytes: number): boolean {
    if (bytes > this.left || this.allowance?.take(bytes) !== undefined) return false;
    this.left -= bytes;
    return true;
  }

  /** Gives back the bytes of a response that is not sent. */
  giveBack(bytes: number): void {
    this.left += bytes;
    this.allowance?.giveBack(bytes);
  }
}
