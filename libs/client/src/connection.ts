import { RefusedError } from './errors';
import { type Envelope, isFrame, readEnvelope } from './frame-guards';
import type { AnyFrame, Capability, Frames, ResumeFailure, SentFrames, SentFrameType } from './frames';
import { type SilenceLimits, SilenceWatch } from './silence';
import type { WebSocketConstructor } from './web-socket';
import { Wire } from './wire';

/** How a connection came about: it is the first one, it goes on where the former was lost, or it cannot. */
export type Beginning = 'first' | 'resumed' | ResumeFailure | 'unsupported';

/** How a connection ended. */
export interface Ending {
  /** The close code; 1006 where there was none. */
  code: number;
  /** Whether it was ever ready. */
  wasReady: boolean;
  /** Why it never was ready, where the service said so. */
  refusal: RefusedError | undefined;
}

export interface ConnectionOptions {
  WebSocket: WebSocketConstructor;
  url: string;
  token: string;
  capabilities: readonly Capability[];
  /** Whether there was a connection before, and its last cursor where there was one. */
  former: { cursor: string | undefined } | undefined;
  limits: SilenceLimits & { openMs: number };
}

interface ConnectionHandlers {
  /** The service took our token; what was missed comes now. */
  onAuthenticated(): void;
  /** Everything that was missed has come. */
  onReady(beginning: Beginning): void;
  onFrame(frame: AnyFrame): void;
  /** What is not understood: frames of a service that is newer than we. */
  onUnknown(data: unknown): void;
  onCursor(cursor: string): void;
  onEnd(ending: Ending): void;
}

/** Our references are positive; the answers to these are looked at here. */
const authenticateRef = 0;

/** One connection from opening to its end: authenticates, resumes, and notices when it is dead. */
export class Connection {
  readonly #wire: Wire;
  #silence: SilenceWatch | undefined;
  #granted: ReadonlySet<Capability> = new Set();
  #phase: 'opening' | 'resuming' | 'ready' = 'opening';
  #refusal: RefusedError | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly handlers: ConnectionHandlers,
  ) {
    this.#expectProgress();
    this.#wire = new Wire(options.WebSocket, options.url, {
      onOpen: () => {
        this.#authenticate();
      },
      onData: (data) => {
        this.#receive(data);
      },
      onEnd: (code) => {
        this.#silence?.stop();
        clearTimeout(this.#deadline);
        handlers.onEnd({ code, wasReady: this.isReady, refusal: this.#refusal });
      },
    });
  }

  /** What the service knows of what we asked for. */
  get granted(): ReadonlySet<Capability> {
    return this.#granted;
  }

  get isReady(): boolean {
    return this.#phase === 'ready';
  }

  send<T extends SentFrameType>(type: T, payload: SentFrames[T], ref?: number): void {
    this.#wire.send(type, payload, ref);
  }

  /** Proves anew who we are, with a new token. */
  authenticateWith(token: string): void {
    this.send('authenticate', { token }, authenticateRef);
  }

  /** Whether anybody is still there is found out now. */
  probe(): void {
    this.#silence?.probe();
  }

  close(): void {
    this.#wire.close();
  }

  drop(): void {
    this.#wire.drop();
  }

  #authenticate(): void {
    const { token, capabilities, former } = this.options;
    const resume = former?.cursor;
    const asked = { token, ...(capabilities.length > 0 && { capabilities: [...capabilities] }) };
    this.send('authenticate', { ...asked, ...(resume !== undefined && { resume }) }, authenticateRef);
  }

  #receive(data: unknown): void {
    this.#silence?.heard();
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
    else if (envelope.type === 'error' && envelope.ref === authenticateRef) this.#refused(envelope.payload);
    else this.handlers.onFrame(envelope);
    // Only now: what the frame says is known when its cursor is. Missed frames carry the cursor that we came with.
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
    const { former } = this.options;
    if (former?.cursor !== undefined && granted.has('sync')) return;
    this.#ready(former === undefined ? 'first' : 'unsupported', cursor);
  }

  #ready(beginning: Beginning, cursor: string | undefined): void {
    if (cursor !== undefined) this.handlers.onCursor(cursor);
    if (this.isReady) return;
    clearTimeout(this.#deadline);
    this.#phase = 'ready';
    this.#silence = this.#watch();
    this.handlers.onReady(beginning);
  }

  #refused({ code, message, retry_after_ms }: Frames['error']): void {
    // Later ones are about a token that we renew in time anyway; the connection goes on. Until then nobody knows what was
    // told of what was missed: the next connection begins with the same cursor.
    if (this.isReady) return;
    this.#refusal = new RefusedError(code, message, { retryAfterMs: retry_after_ms });
    this.drop();
  }

  #watch(): SilenceWatch {
    return new SilenceWatch(this.options.limits, {
      // Answered by `status`, and authenticates for another while.
      probe: () => {
        this.send('authenticate', {}, authenticateRef);
      },
      onDead: () => {
        this.drop();
      },
    });
  }

  /** Until it is ready something must come all the time. */
  #expectProgress(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.drop();
    }, this.options.limits.openMs);
  }
}
