import { type ChatClientError, ConnectionLostError, RefusedError, TimeLimitError } from './errors';
import { type AnyFrame, type Frames, type FrameType, isOneOf, type SentFrames, type SentFrameType } from './frames';
import type { Link } from './link';
import type { Refs } from './refs';

/** Something that we asked for and that was not answered yet. */
interface Pending {
  transmit(): void;
  /** Whether it was ever sent. */
  wasSent: boolean;
  /** Whether it was sent on the connection that there is now. */
  isOnItsWay: boolean;
  /** Whether asking twice is as good as asking once. */
  isRepeatable: boolean;
  /** @returns whether the frame was the answer */
  answer(frame: AnyFrame): boolean;
  reject(error: ChatClientError): void;
  timer: ReturnType<typeof setTimeout>;
}

export interface RequestOptions {
  /** Whether asking twice is as good as asking once: then a lost connection does not matter. */
  isRepeatable?: boolean;
}

/** Everything but messages that is asked for by a frame and answered by another, with a time limit. */
export class Requests {
  readonly #pending = new Map<number, Pending>();

  constructor(
    private readonly answerMs: number,
    private readonly link: Link,
    private readonly refs: Refs,
  ) {}

  /**
   * Resolves with the payload of the first answer of one of the types. Without a connection it waits for one.
   *
   * @throws RefusedError, ConnectionLostError, TimeLimitError, EndedError
   */
  ask<S extends SentFrameType, A extends FrameType>(
    type: S,
    payload: SentFrames[S],
    answers: readonly A[],
    { isRepeatable = false }: RequestOptions = {},
  ): Promise<Frames[A]> {
    const ref = this.refs.next();
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        transmit: () => {
          pending.wasSent = true;
          pending.isOnItsWay = true;
          this.link.send(type, payload, ref);
        },
        wasSent: false,
        isOnItsWay: false,
        isRepeatable,
        answer: (frame) => {
          if (!isOneOf(frame, answers)) return false;
          resolve(frame.payload);
          return true;
        },
        reject,
        timer: setTimeout(() => {
          this.#settle(ref)?.reject(
            new TimeLimitError(`no answer to ${type} within ${this.answerMs} ms`, pending.wasSent),
          );
        }, this.answerMs),
      };
      this.#pending.set(ref, pending);
      if (this.link.isReady) pending.transmit();
    });
  }

  onReady(): void {
    for (const pending of this.#pending.values()) if (!pending.isOnItsWay) pending.transmit();
  }

  /** Whether the frame answers one of ours. */
  knows({ ref }: AnyFrame): boolean {
    return typeof ref === 'number' && this.#pending.has(ref);
  }

  onFrame(frame: AnyFrame): void {
    const { ref } = frame;
    if (typeof ref !== 'number') return;
    if (frame.type === 'error') {
      const { code, message, retry_after_ms: retryAfterMs } = frame.payload;
      this.#settle(ref)?.reject(new RefusedError(code, message, { retryAfterMs }));
    } else if (this.#pending.get(ref)?.answer(frame) === true) this.#settle(ref);
  }

  onLost(): void {
    for (const [ref, pending] of this.#pending) {
      pending.isOnItsWay = false;
      if (!pending.wasSent || pending.isRepeatable) continue;
      this.#settle(ref)?.reject(new ConnectionLostError('the connection was lost before the answer came'));
    }
  }

  end(error: ChatClientError): void {
    for (const ref of this.#pending.keys()) this.#settle(ref)?.reject(error);
  }

  #settle(ref: number): Pending | undefined {
    const pending = this.#pending.get(ref);
    clearTimeout(pending?.timer);
    this.#pending.delete(ref);
    return pending;
  }
}
