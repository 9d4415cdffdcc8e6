import { setTimeout as delay } from 'node:timers/promises';
import WebSocket, { type ClientOptions } from 'ws';
import { waitLimitMs } from './until';

/** A received frame: `type`, `payload` and any other fields. */
export type ReceivedFrame = Record<string, unknown> & { type: string; payload: Record<string, unknown> };

export interface Closing {
  code: number;
  reason: string;
}

export type FrameMatcher = string | ((frame: ReceivedFrame) => boolean);

/** A WebSocket client for tests. It stores every frame, so that a test can wait for one that already came. */
export class WebSocketClient {
  /** All frames, in the order of arrival. */
  readonly frames: ReceivedFrame[] = [];
  /** Resolves when the connection ends. */
  readonly closed: Promise<Closing>;
  /** The frames after `firstPending` that `next` has returned. */
  private readonly returned = new Set<ReceivedFrame>();
  /** The index of the first frame that `next` has not returned. */
  private firstPending = 0;
  private readonly waiters = new Set<() => void>();
  private closing: Closing | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => {
      const frame = parseFrame(isBinary, data);
      this.frames.push(frame);
      this.wake();
    });
    socket.on('error', () => undefined); // A close follows.
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        this.closing = { code, reason: reason.toString() };
        this.wake();
        resolve(this.closing);
      });
    });
  }

  /** Resolves when the connection is open. Rejects with the HTTP status if the server rejects it. */
  static async connect(url: string, options: Pick<ClientOptions, 'headers' | 'origin'> = {}): Promise<WebSocketClient> {
    const socket = new WebSocket(url, options);
    const client = new WebSocketClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** Sends a frame. `extra` are fields such as `ref`. */
  send(type: string, payload: unknown = {}, extra: Record<string, unknown> = {}): void {
    this.socket.send(JSON.stringify({ ...extra, type, payload }));
  }

  /** Sends raw text or bytes instead of a frame. */
  sendRaw(data: string | Uint8Array): void {
    this.socket.send(data);
  }

  /**
   * Waits for the oldest frame that matches and was not returned before.
   *
   * @throws Error listing the received frames, if it does not come in time or the connection ends
   */
  async next(matcher: FrameMatcher, timeoutMs = waitLimitMs): Promise<ReceivedFrame> {
    const matches = typeof matcher === 'string' ? (frame: ReceivedFrame) => frame.type === matcher : matcher;
    const timer = new AbortController();
    const timedOut = delay(timeoutMs, 'timed out', { signal: timer.signal }).catch(() => 'timed out');
    // There may be thousands of frames, so each is matched once.
    let firstUnmatched = this.firstPending;
    try {
      for (;;) {
        const frame = this.find(matches, firstUnmatched);
        if (frame !== undefined) return this.take(frame);
        firstUnmatched = this.frames.length;
        if (this.closing !== undefined) throw this.missing(matcher, `before the end (${this.closing.code})`);
        const woken = new Promise<'woken'>((resolve) => {
          this.waiters.add(() => {
            resolve('woken');
          });
        });
        if ((await Promise.race([woken, timedOut])) === 'timed out')
          throw this.missing(matcher, `within ${timeoutMs} ms`);
      }
    } finally {
      timer.abort();
    }
  }

  /** Closes the connection and waits for the server's close frame. */
  async close(): Promise<Closing> {
    this.socket.close();
    return await this.closed;
  }

  /** Ends the connection without a close frame, like a network failure. */
  terminate(): void {
    this.socket.terminate();
  }

  /** Returns the oldest frame from an index on that matches and was not returned before. */
  private find(matches: (frame: ReceivedFrame) => boolean, from: number): ReceivedFrame | undefined {
    for (let index = Math.max(from, this.firstPending); index < this.frames.length; index += 1) {
      const frame = this.frames[index];
      if (frame !== undefined && !this.returned.has(frame) && matches(frame)) return frame;
    }
    return undefined;
  }

  /** Marks a frame as returned. */
  private take(frame: ReceivedFrame): ReceivedFrame {
    this.returned.add(frame);
    let first = this.frames[this.firstPending];
    while (first !== undefined && this.returned.has(first)) {
      this.returned.delete(first);
      this.firstPending += 1;
      first = this.frames[this.firstPending];
    }
    return frame;
  }

  private wake(): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const wake of waiters) wake();
  }

  private missing(matcher: FrameMatcher, when: string): Error {
    const wanted = typeof matcher === 'string' ? `"${matcher}"` : 'that matches';
    const arrived = this.frames.map((frame) => JSON.stringify(frame)).join('\n  ');
    return new Error(`no frame ${wanted} ${when}; what arrived:\n  ${arrived === '' ? 'nothing' : arrived}`);
  }
}

/** Messages that are not frames get the type "not-a-frame", so that errors list them. */
function parseFrame(isBinary: boolean, data: WebSocket.RawData): ReceivedFrame {
  const text = textOf(data);
  const frame = isBinary ? undefined : parseJson(text);
  return isFrame(frame) ? frame : { type: 'not-a-frame', payload: { text } };
}

/** A text message is one Buffer; the other types occur only with settings that this client does not use. */
function textOf(data: WebSocket.RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFrame(value: unknown): value is ReceivedFrame {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'payload' in value &&
    typeof value.payload === 'object' &&
    value.payload !== null
  );
}
