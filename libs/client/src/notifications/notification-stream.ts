import { readError } from '../api/http';
import { Backoff, type BackoffOptions, defaultBackoff, Pause } from '../backoff';
import { Emitter, type Listener } from '../emitter';
import { ChatClientError, RejectedError, UnreachableError } from '../errors';
import { isNumber, isShape, isString, parseJson } from '../protocol/guards';
import { ServerSentParser, type ServerSentBlock } from './server-sent-events';

/** A notification of an account, as `bridge.account_notifications` returns it. */
export interface Notification {
  /** The recipient. */
  readonly account: string;
  /** Ascends with time. */
  readonly id: number;
  /** Such as `reply`, `mention` or `vote`. */
  readonly type: string;
  /** Relevance, from 1 to 100. */
  readonly score: number;
  /** UTC, such as `2025-01-15T12:30:45`. */
  readonly date: string;
  /** For people. */
  readonly msg: string;
  /** `@author/permlink`, `c/<community>` or `@account`. */
  readonly url: string;
}

/** What happens on a stream, and the argument of its listeners. */
export interface NotificationEvents {
  notification: Notification;
  /** Notifications may be missing between the last one and the next one: load what you show again. */
  reset: { readonly reason: string };
  /** The connection is open. */
  connected: undefined;
  /** The connection ended, or could not be opened. The next attempt is in `retryInMs`. */
  disconnected: { readonly error: Error; readonly retryInMs: number };
  /** The last event: `close` was called, or the gateway rejected the request, such as for a misspelt account. */
  ended: { readonly error: Error | undefined };
}

export interface NotificationStreamOptions {
  /** The URL of the gateway, such as `https://gateway.example`. */
  readonly url: string;
  readonly accounts: readonly string[];
  /** By default all. */
  readonly types?: readonly string[];
  /** The `lastEventId` of an earlier stream, to receive what was missed since then. */
  readonly lastEventId?: string | undefined;
  /** Bounds of the pauses between attempts. */
  readonly backoff?: BackoffOptions;
  /** A connection that is silent for this long is replaced; by default 45 s, three heartbeats of the gateway. */
  readonly silenceMs?: number;
}

/** The gateway ended the stream, as it does before it shuts down. */
class StreamEndedError extends ChatClientError {
  override readonly name = 'StreamEndedError';
}

/**
 * Receives the notifications of accounts as they become irreversible, each once and in order. It reconnects by itself,
 * and continues after the last notification.
 */
export class NotificationStream {
  readonly #options: NotificationStreamOptions;
  readonly #emitter = new Emitter<NotificationEvents>();
  readonly #backoff: Backoff;
  readonly #bounds: BackoffOptions;
  readonly #pause = new Pause();
  #connection = new AbortController();
  #lastEventId: string | undefined;
  /** The pause that the gateway asks for after a connection. */
  #retryMs: number | undefined;
  /** The time when the current connection was opened. */
  #connectedAtMs: number | undefined;
  #isClosed = false;
  #skipsPause = false;
  #isStarted = false;

  constructor(options: NotificationStreamOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId;
    this.#bounds = options.backoff ?? defaultBackoff;
    this.#backoff = new Backoff(this.#bounds);
  }

  /** Save it to continue here later; undefined before the first connection. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Adds a listener. @returns a function that removes it */
  on<E extends keyof NotificationEvents>(event: E, listener: Listener<NotificationEvents[E]>): () => void {
    return this.#emitter.on(event, listener);
  }

  /** Connects. Add the listeners before. */
  start(): this {
    if (!this.#isStarted) void this.#run();
    this.#isStarted = true;
    return this;
  }

  /** Replaces the connection, or ends the pause before the next attempt: call it when the network comes back. */
  retryNow(): void {
    this.#skipsPause = true;
    this.#pause.skip();
    this.#connection.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.retryNow();
  }

  async #run(): Promise<void> {
    let error: Error | undefined;
    while (!this.#isClosed && (error === undefined || !isFatal(error))) {
      error = await this.#connect().catch((reason: unknown) => unreachable(reason));
      await this.#waitAfter(error);
    }
    this.#emitter.emit('ended', { error: this.#isClosed ? undefined : error });
  }

  async #waitAfter(error: Error): Promise<void> {
    if (this.#isClosed || isFatal(error)) return;
    const retryInMs = this.#pauseAfter(error);
    this.#emitter.emit('disconnected', { error, retryInMs });
    // A listener may have called `close` or `retryNow`.
    await this.#pause.wait(this.#skipsPause ? 0 : retryInMs);
  }

  #pauseAfter(error: Error): number {
    if (this.#skipsPause) return 0;
    const connectedMs = this.#connectedAtMs === undefined ? 0 : performance.now() - this.#connectedAtMs;
    if (connectedMs >= this.#bounds.resetAfterMs || error instanceof StreamEndedError) this.#backoff.reset();
    const pauseMs = this.#backoff.nextMs();
    if (error instanceof StreamEndedError) return this.#retryMs ?? pauseMs;
    return Math.max(pauseMs, (error instanceof RejectedError ? error.retryAfterMs : undefined) ?? 0);
  }

  /** Reads one connection to its end. @returns why it ended */
  async #connect(): Promise<Error> {
    const connection = new AbortController();
    this.#connection = connection;
    this.#connectedAtMs = undefined;
    this.#skipsPause = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const restartSilence = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        connection.abort();
      }, this.#options.silenceMs ?? 45_000);
    };
    try {
      restartSilence();
      const response = await fetch(this.#url(), { credentials: 'omit', signal: connection.signal });
      if (!response.ok || response.body === null) return await readError(response);
      this.#connectedAtMs = performance.now();
      this.#emitter.emit('connected', undefined);
      const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
      const decoder = new TextDecoder();
      const parser = new ServerSentParser();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        restartSilence();
        for (const block of parser.push(decoder.decode(read.value, { stream: true }))) this.#accept(block);
      }
      return new StreamEndedError('The gateway has ended the stream');
    } finally {
      clearTimeout(silence);
    }
  }

  #url(): string {
    const { url, accounts, types } = this.#options;
    const query = [`accounts=${accounts.map(encodeURIComponent).join(',')}`];
    if (types !== undefined) query.push(`types=${types.map(encodeURIComponent).join(',')}`);
    // As a parameter: browsers would send another request first to ask whether the header is allowed.
    if (this.#lastEventId !== undefined) query.push(`last_event_id=${encodeURIComponent(this.#lastEventId)}`);
    return `${url.replace(/\/$/, '')}/events?${query.join('&')}`;
  }

  #accept({ event, data, id, retryMs }: ServerSentBlock): void {
    if (this.#isClosed) return;
    if (retryMs !== undefined) this.#retryMs = retryMs;
    // Before the listeners, who may save it.
    if (id !== undefined) this.#lastEventId = id;
    if (data !== undefined) this.#emit(event, parseJson(data));
  }

  /** Ignores events that this version does not know. */
  #emit(event: string, data: unknown): void {
    if (event === 'notification' && isNotification(data)) this.#emitter.emit('notification', data);
    if (event === 'reset' && isReset(data)) this.#emitter.emit('reset', data);
  }
}

function isFatal(error: Error): boolean {
  if (!(error instanceof RejectedError)) return false;
  const { status = 0 } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function unreachable(reason: unknown): Error {
  return new UnreachableError('No gateway responds, or the connection was lost', { cause: reason });
}

const isNotification = isShape<Notification>({
  account: isString,
  id: isNumber,
  type: isString,
  score: isNumber,
  date: isString,
  msg: isString,
  url: isString,
});

const isReset = isShape<NotificationEvents['reset']>({ reason: isString });
