import type { PersistentConnection } from '../connection/persistent-connection';
import { type ChatClientError, ConnectionLostError, RejectedError, TimeLimitError } from '../errors';
import type { Frames, SentFrames } from '../protocol/contract';
import { type AnyFrame, type FrameType, isOneOf, type SentFrameType } from '../protocol/frames';

/** A request without a reply yet. */
interface Pending {
  transmit(): void;
  /** Whether it was sent on any connection. */
  wasSent: boolean;
  /** Whether it was sent on the current connection. */
  isInFlight: boolean;
  isRepeatable: boolean;
  /** Resolves the request if the frame is one of its replies. @returns whether it is */
  accept(frame: AnyFrame): boolean;
  reject(error: ChatClientError): void;
  timer: ReturnType<typeof setTimeout>;
}

export interface RequestOptions {
  /** Whether the request has the same effect if it is sent twice. It is then repeated after a lost connection. */
  isRepeatable?: boolean;
}

/** Requests other than messages: each is a frame, with a reply within a time limit. */
export class Requests {
  readonly #pending = new Map<number, Pending>();

  constructor(
    private readonly responseMs: number,
    private readonly connection: PersistentConnection,
    private readonly nextRef: () => number,
  ) {}

  /**
   * Resolves with the payload of the first reply of one of the types. Waits for a connection if there is none.
   *
   * @throws RejectedError, ConnectionLostError, TimeLimitError, EndedError
   */
  send<S extends SentFrameType, R extends FrameType>(
    type: S,
    payload: SentFrames[S],
    replies: readonly R[],
    { isRepeatable = false }: RequestOptions = {},
  ): Promise<Frames[R]> {
    const ref = this.nextRef();
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        transmit: () => {
          pending.wasSent = true;
          pending.isInFlight = true;
          this.connection.send(type, payload, ref);
        },
        wasSent: false,
        isInFlight: false,
        isRepeatable,
        accept: (frame) => {
          if (!isOneOf(frame, replies)) return false;
          resolve(frame.payload);
          return true;
        },
        reject,
        timer: setTimeout(() => {
          this.#remove(ref)?.reject(
            new TimeLimitError(`no reply to ${type} within ${this.responseMs} ms`, pending.wasSent),
          );
        }, this.responseMs),
      };
      this.#pending.set(ref, pending);
      if (this.connection.isReady) pending.transmit();
    });
  }

  onReady(): void {
    for (const pending of this.#pending.values()) if (!pending.isInFlight) pending.transmit();
  }

  /** Whether the frame has the reference of a pending request. */
  isReply({ ref }: AnyFrame): boolean {
    return typeof ref === 'number' && this.#pending.has(ref);
  }

  onFrame(frame: AnyFrame): void {
    const { ref } = frame;
    if (typeof ref !== 'number') return;
    if (frame.type === 'error') {
      const { code, message, retry_after_ms: retryAfterMs } = frame.payload;
      this.#remove(ref)?.reject(new RejectedError(code, message, { retryAfterMs }));
    } else if (this.#pending.get(ref)?.accept(frame) === true) this.#remove(ref);
  }

  onLost(): void {
    for (const [ref, pending] of this.#pending) {
      pending.isInFlight = false;
      if (!pending.wasSent || pending.isRepeatable) continue;
      this.#remove(ref)?.reject(new ConnectionLostError('the connection was lost before the reply'));
    }
  }

  end(error: ChatClientError): void {
    for (const ref of this.#pending.keys()) this.#remove(ref)?.reject(error);
  }

  #remove(ref: number): Pending | undefined {
    const pending = this.#pending.get(ref);
    clearTimeout(pending?.timer);
    this.#pending.delete(ref);
    return pending;
  }
}
