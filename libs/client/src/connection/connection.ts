import { RejectedError } from '../errors';
import type { Capability, Frames, SentFrames } from '../protocol/contract';
import { type Envelope, isFrame, readEnvelope } from '../protocol/envelope';
import type { AnyFrame, ResumeFailure, SentFrameType } from '../protocol/frames';
import { FrameSocket, type WebSocketConstructor } from './frame-socket';
import { type SilenceLimits, SilenceWatch } from './silence-watch';

/** Why missed events are not delivered. `unsupported`: the service cannot resume connections. */
export type LostReason = ResumeFailure | 'unsupported';

/** How a connection started: as the first one, by resuming the previous one, or without being able to resume. */
export type ConnectionStart = 'first' | 'resumed' | LostReason;

/**
 * Returns why the events since the previous connection are not delivered; undefined if they are, or if there was none.
 */
export function lostReason(start: ConnectionStart): LostReason | undefined {
  return start === 'first' || start === 'resumed' ? undefined : start;
}

/** How a connection ended. */
export interface ConnectionEnd {
  /** The close code; 1006 if there was none. */
  code: number;
  /** Whether it was ever ready. */
  wasReady: boolean;
  /** Why the service rejected the connection, if it did. */
  error: RejectedError | undefined;
}

export interface ConnectionOptions {
  WebSocket: WebSocketConstructor;
  url: string;
  token: string;
  capabilities: readonly Capability[];
  /** The previous connection, with its last cursor, if it had one. */
  previous: { cursor: string | undefined } | undefined;
  limits: SilenceLimits & { openMs: number };
}

interface ConnectionHandlers {
  /** The service accepted the token; missed frames follow. */
  onAuthenticated(): void;
  /** The connection is ready: no further missed frames will arrive. */
  onReady(start: ConnectionStart): void;
  onFrame(frame: AnyFrame): void;
  /** Called with frames that this version does not know. */
  onUnknown(data: unknown): void;
  onCursor(cursor: string): void;
  onEnd(end: ConnectionEnd): void;
}

/** The reference of `authenticate` frames; references of requests are positive. */
const authenticateRef = 0;

/** One connection: authenticates, resumes, and detects when it is dead. */
export class Connection {
  readonly #socket: FrameSocket;
  #silence: SilenceWatch | undefined;
  #granted: ReadonlySet<Capability> = new Set();
  #phase: 'opening' | 'resuming' | 'ready' = 'opening';
  #error: RejectedError | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly handlers: ConnectionHandlers,
  ) {
    this.#socket = new FrameSocket(options.WebSocket, options.url, {
      onOpen: () => {
        this.#authenticate();
      },
      onData: (data) => {
        this.#receive(data);
      },
      onEnd: (code) => {
        this.#silence?.stop();
        clearTimeout(this.#deadline);
        handlers.onEnd({ code, wasReady: this.isReady, error: this.#error });
      },
    });
    this.#expectProgress();
  }

  /** The requested capabilities that the service supports. */
  get granted(): ReadonlySet<Capability> {
    return this.#granted;
  }

  get isReady(): boolean {
    return this.#phase === 'ready';
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    this.#socket.send(type, payload, ref);
  }

  /** Renews the authentication with a new token. */
  authenticateWith(token: string): void {
    this.send('authenticate', { token }, authenticateRef);
  }

  /** Checks now whether the connection is alive. */
  probe(): void {
    this.#silence?.probe();
  }

  close(): void {
    this.#socket.close();
  }

  drop(): void {
    this.#socket.drop();
  }

  #authenticate(): void {
    const { token, capabilities, previous } = this.options;
    const resume = previous?.cursor;
    const payload = { token, ...(capabilities.length > 0 && { capabilities: [...capabilities] }) };
    this.send('authenticate', { ...payload, ...(resume !== undefined && { resume }) }, authenticateRef);
  }

  #receive(data: unknown): void {
    this.#silence?.onFrame();
    if (!this.isReady) this.#expectProgress();
    const envelope = readEnvelope(data);
    if (envelope === undefined) this.handlers.onUnknown(data);
    else this.#read(envelope);
  }

  #read(envelope: Envelope): void {
    if (!isFrame(envelope)) this.handlers.onUnknown(envelope);
    else if (envelope.type === 'status') this.#readStatus(envelope.payload);
    else if (envelope.type === 'resume-complete') this.#ready('resumed', envelope.payload.cursor);
    else if (envelope.type === 'resume-failed') this.#ready(envelope.payload.reason, envelope.payload.cursor);
    else if (envelope.type === 'error' && envelope.ref === authenticateRef) this.#onError(envelope.payload);
    else this.handlers.onFrame(envelope);
    // After the frame, so that the cursor covers only delivered frames. Missed frames carry the cursor of the request.
    if (envelope.cursor !== undefined) this.handlers.onCursor(envelope.cursor);
  }

  #readStatus({ authenticated, capabilities, cursor }: Frames['status']): void {
    // The service closes the connection next.
    if (!authenticated) return;
    if (this.#phase === 'opening') this.#authenticated(new Set(capabilities), cursor);
    else if (cursor !== undefined) this.handlers.onCursor(cursor);
  }

  #authenticated(granted: ReadonlySet<Capability>, cursor: string | undefined): void {
    this.#granted = granted;
    this.#phase = 'resuming';
    this.handlers.onAuthenticated();
    const { previous } = this.options;
    if (previous?.cursor !== undefined && granted.has('sync')) return;
    this.#ready(previous === undefined ? 'first' : 'unsupported', cursor);
  }

  #ready(start: ConnectionStart, cursor: string | undefined): void {
    if (cursor !== undefined) this.handlers.onCursor(cursor);
    if (this.isReady) return;
    clearTimeout(this.#deadline);
    this.#phase = 'ready';
    this.#silence = this.#watch();
    this.handlers.onReady(start);
  }

  #onError({ code, message, retry_after_ms }: Frames['error']): void {
    // On a ready connection a renewal or a probe failed: the connection stays until its authentication expires.
    if (this.isReady) return;
    // It is unknown which missed frames the service sent, so the next connection resumes from the same cursor.
    this.#error = new RejectedError(code, message, { retryAfterMs: retry_after_ms });
    this.drop();
  }

  #watch(): SilenceWatch {
    return new SilenceWatch(this.options.limits, {
      // The reply is `status`; it also extends the authentication.
      probe: () => {
        this.send('authenticate', {}, authenticateRef);
      },
      onDead: () => {
        this.drop();
      },
    });
  }

  /** Limits the time between frames until the connection is ready. */
  #expectProgress(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.drop();
    }, this.options.limits.openMs);
  }
}
