import { Backoff, type BackoffBounds } from './backoff';
import { abnormalClosure, closeCodes } from './close-codes';
import { type Beginning, Connection, type ConnectionOptions, type Ending } from './connection';
import { ChatClientError, EndedError, type EndReason, RefusedError } from './errors';
import type { AnyFrame, Capability, SentFrames, SentFrameType } from './frames';
import { Pause } from './pause';
import { isUnauthenticated, type Session } from './session';
import type { WebSocketConstructor } from './web-socket';

interface LinkOptions {
  session: Session;
  WebSocket: WebSocketConstructor;
  capabilities: readonly Capability[];
  backoff: BackoffBounds;
  limits: ConnectionOptions['limits'];
}

export interface LinkHandlers {
  /** Everything that was missed has come. */
  onReady(beginning: Beginning): void;
  onFrame(frame: AnyFrame): void;
  onUnknown(data: unknown): void;
  /** The connection, or an attempt at one, has ended; there will be another one in `retryInMs`. */
  onLost(ending: { code: number; wasReady: boolean; retryInMs: number }): void;
  /** There will be no other one. Once, and nothing after it. */
  onEnded(error: EndedError): void;
}

/** Keeps a connection: renews the session, connects, resumes, and after each end does so again, until it is over. */
export class Link {
  readonly #backoff: Backoff;
  readonly #pause = new Pause();
  #connection: Connection | undefined;
  /** Whether there was an authenticated connection before, and the last cursor. */
  #former: { cursor: string | undefined } | undefined;
  #mustRenew = false;
  /** How often in a row the service did not take our token. */
  #refusals = 0;
  #over: EndedError | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly options: LinkOptions,
    private readonly handlers: LinkHandlers,
  ) {
    this.#backoff = new Backoff(options.backoff);
  }

  /** Why it is over. */
  get over(): EndedError | undefined {
    return this.#over;
  }

  /** Asked again after every wait, in which it may have changed. */
  isOver(): boolean {
    return this.#over !== undefined;
  }

  get isReady(): boolean {
    return this.#connection?.isReady === true;
  }

  has(capability: Capability): boolean {
    return this.#connection?.granted.has(capability) === true;
  }

  start(): void {
    if (this.#over === undefined) this.#running ??= this.#run();
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    this.#connection?.send(type, payload, ref);
  }

  /** Does not wait any longer for the next attempt; a connection that is there is probed. */
  retryNow(): void {
    this.#pause.skip();
    this.#connection?.probe();
  }

  /** Resolves when nothing of it goes on. */
  async stop(reason: EndReason, cause?: unknown): Promise<void> {
    this.#end(reason, cause);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#over === undefined) {
      const startedAtMs = Date.now();
      const ending = await this.#attempt();
      this.#connection = undefined;
      this.#judge(ending);
      if (this.isOver()) break;
      if (ending.wasReady && Date.now() - startedAtMs >= this.options.backoff.resetAfterMs) this.#backoff.reset();
      const retryInMs = Math.max(this.#backoff.nextMs(), ending.refusal?.retryAfterMs ?? 0);
      this.handlers.onLost({ code: ending.code, wasReady: ending.wasReady, retryInMs });
      if (!this.isOver()) await this.#pause.wait(retryInMs);
    }
  }

  /** One connection, from beginning to end. */
  async #attempt(): Promise<Ending> {
    const failed: Ending = { code: abnormalClosure, wasReady: false, refusal: undefined };
    try {
      await this.#haveTokens();
      return this.isOver() ? failed : await this.#connect();
    } catch (error) {
      if (isFinal(error)) this.#end('log-in-refused', error);
      return { ...failed, refusal: error instanceof RefusedError ? error : undefined };
    }
  }

  async #haveTokens(): Promise<void> {
    const { session } = this.options;
    if (!this.#mustRenew && !session.isExpired) return;
    await session.renew();
    this.#mustRenew = false;
  }

  #connect(): Promise<Ending> {
    const { session, WebSocket, capabilities, limits } = this.options;
    const url = `${session.url.replace(/^http/, 'ws')}/ws`;
    const token = session.tokens.webSocketToken;
    return new Promise((resolve) => {
      const connection = new Connection(
        { WebSocket, url, token, capabilities, limits, former: this.#former },
        {
          ...this.handlers,
          onAuthenticated: () => {
            this.#former ??= { cursor: undefined };
            this.#refusals = 0;
          },
          onFrame: (frame) => {
            if (this.isOver()) return;
            if (frame.type === 'reauthentication-required') void this.#renew(connection);
            this.handlers.onFrame(frame);
          },
          onCursor: (cursor) => {
            this.#former = { cursor };
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
      // Else the connection ends with its authentication, and the next one begins by renewing it.
      if (isFinal(error)) this.#end('log-in-refused', error);
    }
  }

  #judge({ code }: Ending): void {
    if (code === closeCodes.sessionRevoked) this.#end('session-revoked');
    if (code === closeCodes.authenticationExpired) this.#mustRenew = true;
    if (code !== closeCodes.authenticationFailed) return;
    this.#refusals += 1;
    this.#mustRenew = true;
    // A token that was made just now was refused too: there is nothing more to try.
    if (this.#refusals > 1) this.#end('log-in-refused');
  }

  #end(reason: EndReason, cause?: unknown): void {
    if (this.#over !== undefined) return;
    this.#over = new EndedError(reason, { cause });
    this.#pause.skip();
    this.options.session.cancelRequests();
    this.#connection?.close();
    this.handlers.onEnded(this.#over);
  }
}

/** Whether asking again cannot help: the credentials count no more, or whoever was to sign did not. */
function isFinal(error: unknown): boolean {
  return isUnauthenticated(error) || !(error instanceof ChatClientError);
}
