/** What this library needs of a WebSocket: that of browsers and that of `ws` have it. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  /** Ends the connection without a word to the other side, where the platform can. */
  terminate?(): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;
