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
