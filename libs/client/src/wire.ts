import { abnormalClosure } from './close-codes';
import type { SentFrames, SentFrameType } from './frames';
import type { WebSocketConstructor, WebSocketLike } from './web-socket';

/** How long the other side may take to agree to a close. */
const closeTimeoutMs = 1_000;

interface WireHandlers {
  onOpen(): void;
  onData(data: unknown): void;
  /** Once, and nothing after it. */
  onEnd(code: number): void;
}

/** One WebSocket, which ends once, whatever the platform still says about it. */
export class Wire {
  readonly #socket: WebSocketLike;
  readonly #handlers: WireHandlers;
  #hasEnded = false;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(WebSocket: WebSocketConstructor, url: string, handlers: WireHandlers) {
    this.#handlers = handlers;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('open', () => {
      if (!this.#hasEnded) handlers.onOpen();
    });
    this.#socket.addEventListener('message', ({ data }) => {
      if (!this.#hasEnded) handlers.onData(data);
    });
    this.#socket.addEventListener('close', ({ code }) => {
      this.#end(code);
    });
    // Always followed by `close`, which says more.
    this.#socket.addEventListener('error', () => undefined);
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    if (!this.#hasEnded) this.#socket.send(JSON.stringify({ type, ref, payload }));
  }

  /** Takes leave of the other side. */
  close(): void {
    if (this.#hasEnded || this.#closing !== undefined) return;
    this.#closing = setTimeout(() => {
      this.drop();
    }, closeTimeoutMs);
    this.#socket.close(1000);
  }

  /** Ends at once: from a connection that is dead no answer to a close would come. */
  drop(): void {
    this.#end(abnormalClosure);
    if (this.#socket.terminate === undefined) this.#socket.close();
    else this.#socket.terminate();
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#closing);
    this.#handlers.onEnd(code);
  }
}
