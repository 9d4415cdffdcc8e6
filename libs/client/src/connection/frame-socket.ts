import type { SentFrames } from '../protocol/contract';
import type { SentFrameType } from '../protocol/frames';

/** The part of a WebSocket that this library uses. Browsers and `ws` provide it. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  /** Ends the connection without a closing handshake, if the platform can. */
  terminate?(): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

/** The close code reported for a connection that ended without a close frame. */
export const abnormalClosure = 1006;

/** Maximum time that the service may take to confirm a close. */
const closeTimeoutMs = 1_000;

interface FrameSocketHandlers {
  onOpen(): void;
  onData(data: unknown): void;
  /** Called once, and last. */
  onEnd(code: number): void;
}

/**
 * One WebSocket. Sends frames as JSON, passes received data on, and reports its end once. After `close` it neither
 * sends nor passes on anything but the end.
 */
export class FrameSocket {
  readonly #socket: WebSocketLike;
  readonly #handlers: FrameSocketHandlers;
  #hasEnded = false;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(WebSocket: WebSocketConstructor, url: string, handlers: FrameSocketHandlers) {
    this.#handlers = handlers;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('open', () => {
      if (this.#isActive) handlers.onOpen();
    });
    this.#socket.addEventListener('message', ({ data }) => {
      if (this.#isActive) handlers.onData(data);
    });
    this.#socket.addEventListener('close', ({ code }) => {
      this.#end(code);
    });
    // `ws` throws an `error` without a listener. `close` always follows, with the code.
    this.#socket.addEventListener('error', () => undefined);
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    if (this.#isActive) this.#socket.send(JSON.stringify({ type, ref, payload }));
  }

  /** Closes with a handshake; drops the connection if the service does not confirm in time. */
  close(): void {
    if (!this.#isActive) return;
    this.#closeTimer = setTimeout(() => {
      this.drop();
    }, closeTimeoutMs);
    this.#socket.close(1000);
  }

  /** Ends at once. Over a dead connection, the service would never confirm a close. */
  drop(): void {
    this.#end(abnormalClosure);
    if (this.#socket.terminate === undefined) this.#socket.close();
    else this.#socket.terminate();
  }

  /** Neither closing nor ended; it may still be connecting. */
  get #isActive(): boolean {
    return !this.#hasEnded && this.#closeTimer === undefined;
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#closeTimer);
    this.#handlers.onEnd(code);
  }
}
