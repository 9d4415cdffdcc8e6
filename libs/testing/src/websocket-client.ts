import WebSocket, { type ClientOptions } from 'ws';
import { waitLimitMs } from './until';

/** A received frame: `type`, `payload` and any other fields. */
export type ReceivedFrame = Record<string, unknown> & { type: string; payload: Record<string, unknown> };

export interface Closing {
  code: number;
  reason: string;
}

export type FrameMatcher = string | ((frame: ReceivedFrame) => boolean);

/** A call of `next` that waits. */
interface Waiter {
  matches: (frame: ReceivedFrame) => boolean;
  resolve: (frame: ReceivedFrame) => void;
  /** @param when until when the frame did not arrive */
  reject: (when: string) => void;
}

/** A WebSocket client for tests. It keeps every frame, so a test can ask for one that has arrived already. */
export class WebSocketClient {
  /** All frames, in the order of arrival. */
  readonly frames: ReceivedFrame[] = [];
  /** Resolves when the connection ends. */
  readonly closed: Promise<Closing>;
  /** The frames that `next` has not returned, in the order of arrival. */
  private readonly pending: ReceivedFrame[] = [];
  private readonly waiters = new Set<Waiter>();
  private closing: Closing | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => {
      this.receive(parseFrame(isBinary, data));
    });
    socket.on('error', () => undefined); // A close follows.
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        this.closing = { code, reason: reason.toString() };
        for (const waiter of this.waiters) waiter.reject(`before the end (${code})`);
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
   * Returns the oldest frame that matches, and waits for it if necessary. Each frame is returned once.
   *
   * @throws Error listing the received frames, if it does not come in time or the connection ends
   */
  async next(matcher: FrameMatcher, timeoutMs = waitLimitMs): Promise<ReceivedFrame> {
    const matches = typeof matcher === 'string' ? (frame: ReceivedFrame) => frame.type === matcher : matcher;
    const index = this.pending.findIndex(matches);
    const [frame] = index < 0 ? [] : this.pending.splice(index, 1);
    if (frame !== undefined) return frame;
    if (this.closing !== undefined) throw this.missing(matcher, `before the end (${this.closing.code})`);
    return await new Promise<ReceivedFrame>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
      };
      const waiter: Waiter = {
        matches,
        resolve: (found) => {
          end();
          resolve(found);
        },
        reject: (when) => {
          end();
          reject(this.missing(matcher, when));
        },
      };
      const timer = setTimeout(() => {
        waiter.reject(`within ${timeoutMs} ms`);
      }, timeoutMs);
      this.waiters.add(waiter);
    });
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

  /** Gives the frame to the first call of `next` that waits for it, or keeps it for a later one. */
  private receive(frame: ReceivedFrame): void {
    this.frames.push(frame);
    const waiter = [...this.waiters].find(({ matches }) => matches(frame));
    if (waiter === undefined) this.pending.push(frame);
    else waiter.resolve(frame);
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
