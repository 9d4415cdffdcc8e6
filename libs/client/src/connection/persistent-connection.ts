import { isUnauthenticated, type Session } from '../api/session';
import { Backoff, type BackoffOptions, Pause } from '../backoff';
import { ChatClientError, EndedError, type EndReason, RejectedError } from '../errors';
import { type Capability, closeCodes, type SentFrames } from '../protocol/contract';
import type { AnyFrame, SentFrameType } from '../protocol/frames';
import { Connection, type ConnectionEnd, type ConnectionOptions, type ConnectionStart } from './connection';
import { abnormalClosure, type WebSocketConstructor } from './frame-socket';

interface PersistentConnectionOptions {
  session: Session;
  WebSocket: WebSocketConstructor;
  capabilities: readonly Capability[];
  backoff: BackoffOptions;
  limits: ConnectionOptions['limits'];
}

export interface PersistentConnectionHandlers {
  /** A connection is ready: no further missed frames will arrive. */
  onReady(start: ConnectionStart): void;
  onFrame(frame: AnyFrame): void;
  onUnknown(data: unknown): void;
  /** A connection or an attempt ended; the next attempt is in `retryInMs`. */
  onLost(ending: { code: number; wasReady: boolean; retryInMs: number }): void;
  /** Called once, and last: there will be no further attempts. */
  onEnded(error: EndedError): void;
}

/**
 * Maintains a connection: renews the session, connects, resumes, and starts again after each end. The number of
 * attempts is not limited: they end with `stop`, with the session, when the service rejects a new token, or if no
 * WebSocket can be created.
 */
export class PersistentConnection {
  readonly #backoff: Backoff;
  readonly #pause = new Pause();
  #connection: Connection | undefined;
  /** The last cursor of the newest authenticated connection that had one; undefined before one was authenticated. */
  #previous: { cursor: string | undefined } | undefined;
  #mustRenew = false;
  /** Number of tokens in a row that the service rejected. */
  #rejectedTokens = 0;
  #ended: EndedError | undefined;
  #running: Promise<void> | undefined;
  #resolveStopped: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => (this.#resolveStopped = resolve));

  constructor(
    private readonly options: PersistentConnectionOptions,
    private readonly handlers: PersistentConnectionHandlers,
  ) {
    this.#backoff = new Backoff(options.backoff);
  }

  /** The reason why the connection ended for good; undefined if it has not. */
  get ended(): EndedError | undefined {
    return this.#ended;
  }

  /**
   * Returns whether the connection ended for good. A method, since the compiler would assume that a property stays the
   * same across an `await`.
   */
  hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  get isReady(): boolean {
    return this.#connection?.isReady === true;
  }

  /** Returns whether the current connection has a capability. */
  hasCapability(capability: Capability): boolean {
    return this.#connection?.granted.has(capability) === true;
  }

  start(): void {
    if (!this.hasEnded()) this.#running ??= this.#run();
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    this.#connection?.send(type, payload, ref);
  }

  /** Skips the pause before the next attempt, or probes the current connection. */
  retryNow(): void {
    this.#pause.skip();
    this.#connection?.probe();
  }

  /** Ends the connection for good. Resolves when the last connection is closed. */
  async stop(reason: EndReason, cause?: unknown): Promise<void> {
    this.#end(reason, cause);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.hasEnded()) {
      const startedAtMs = performance.now();
      const end = await this.#attempt();
      this.#connection = undefined;
      this.#handleClose(end.code);
      if (this.hasEnded()) break;
      if (end.wasReady && performance.now() - startedAtMs >= this.options.backoff.resetAfterMs) this.#backoff.reset();
      const retryInMs = Math.max(this.#backoff.nextMs(), end.error?.retryAfterMs ?? 0);
      this.handlers.onLost({ code: end.code, wasReady: end.wasReady, retryInMs });
      if (!this.hasEnded()) await this.#pause.wait(retryInMs);
    }
  }

  /** Opens one connection and waits for its end. */
  async #attempt(): Promise<ConnectionEnd> {
    const failed: ConnectionEnd = { code: abnormalClosure, wasReady: false, error: undefined };
    try {
      await this.#ensureTokens();
    } catch (error) {
      if (isFinal(error)) this.#end('log-in-rejected', error);
      return { ...failed, error: error instanceof RejectedError ? error : undefined };
    }
    try {
      return this.hasEnded() ? failed : await this.#connect();
    } catch (error) {
      // The constructor of the WebSocket throws if it does not accept the URL.
      this.#end('no-websocket', error);
      return failed;
    }
  }

  async #ensureTokens(): Promise<void> {
    const { session } = this.options;
    if (!this.#mustRenew && !session.needsRenewal) return;
    // A renewal may ask the user to sign, so `stop` does not wait for it.
    await Promise.race([session.renew(), this.#stopped]);
    this.#mustRenew = false;
  }

  #connect(): Promise<ConnectionEnd> {
    const { session, WebSocket, capabilities, limits } = this.options;
    const url = `${session.url.replace(/^http/, 'ws')}/ws`;
    const token = session.tokens.webSocketToken;
    return new Promise((resolve) => {
      const connection = new Connection(
        { WebSocket, url, token, capabilities, limits, previous: this.#previous },
        {
          ...this.handlers,
          onAuthenticated: () => {
            this.#previous ??= { cursor: undefined };
            this.#rejectedTokens = 0;
          },
          onFrame: (frame) => {
            if (frame.type === 'reauthentication-required') void this.#renew(connection);
            this.handlers.onFrame(frame);
          },
          onCursor: (cursor) => {
            this.#previous = { cursor };
          },
          onEnd: resolve,
        },
      );
      this.#connection = connection;
    });
  }

  async #renew(connection: Connection): Promise<void> {
    try {
      await this.options.session.renew();
      connection.authenticateWith(this.options.session.tokens.webSocketToken);
    } catch (error) {
      // Otherwise the connection ends when its authentication expires, and the next one starts with a renewal.
      if (isFinal(error)) this.#end('log-in-rejected', error);
    }
  }

  #handleClose(code: number): void {
    switch (code) {
      case closeCodes.sessionRevoked:
        this.#end('session-revoked');
        break;
      case closeCodes.authenticationExpired:
        this.#mustRenew = true;
        break;
      case closeCodes.authenticationFailed:
        this.#mustRenew = true;
        this.#rejectedTokens += 1;
        // The renewed token was rejected too.
        if (this.#rejectedTokens > 1) this.#end('log-in-rejected');
        break;
    }
  }

  #end(reason: EndReason, cause?: unknown): void {
    if (this.hasEnded()) return;
    this.#ended = new EndedError(reason, { cause });
    this.#resolveStopped();
    this.#pause.skip();
    this.options.session.cancelRequests();
    this.#connection?.close();
    this.handlers.onEnded(this.#ended);
  }
}

/** Returns whether a retry cannot help: the credentials are not valid, or signing failed. */
function isFinal(error: unknown): boolean {
  return isUnauthenticated(error) || !(error instanceof ChatClientError);
}
