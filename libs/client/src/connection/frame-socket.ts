import type { SentFrames } from '../protocol/contract';
import type { SentFrameType } from '../protocol/frames';

/** What this library uses of a WebSocket, which browsers and `ws` provide. */
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

/** How long the service may take to confirm a close. */
const closeTimeoutMs = 1_000;

interface FrameSocketHandlers {
  onOpen(): void;
  onData(data: unknown): void;
  /** Called once, and last. */
  onEnd(code: number): void;
}

/**
 * One WebSocket: sends frames as JSON and reports its end once; events after that, and frames after `close`, are
 * ignored.
 */
export class FrameSocket {
  readonly #socket: WebSocketLike;
  readonly #handlers: FrameSocketHandlers;
  #hasEnded = false;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(WebSocket: WebSocketConstructor, url: string, handlers: FrameSocketHandlers) {
    this.#handlers = handlers;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('open', () => {
      if (this.#isOpen) handlers.onOpen();
    });
    this.#socket.addEventListener('message', ({ data }) => {
      if (this.#isOpen) handlers.onData(data);
    });
    this.#socket.addEventListener('close', ({ code }) => {
      this.#end(code);
    });
    // `ws` throws an `error` without a listener. `close` always follows, with the code.
    this.#socket.addEventListener('error', () => undefined);
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify({ type, ref, payload }));
  }

  /** Closes the connection with a closing handshake. */
  close(): void {
    if (!this.#isOpen) return;
    this.#closing = setTimeout(() => {
      this.drop();
    }, closeTimeoutMs);
    this.#socket.close(1000);
  }

  /** Ends at once, without waiting for the service to confirm: a dead connection never would. */
  drop(): void {
    this.#end(abnormalClosure);
    if (this.#socket.terminate === undefined) this.#socket.close();
    else this.#socket.terminate();
  }

  get #isOpen(): boolean {
    return !this.#hasEnded && this.#closing === undefined;
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#closing);
    this.#handlers.onEnd(code);
  }
}
