import { setTimeout } from 'node:timers/promises';
import { closeCodes, serverFrames } from '@waggle/contracts';
import WebSocket from 'ws';
import { PlainError } from '../plain-error';

/** How long opening and authenticating may take. */
const openTimeoutMs = 10_000;

/** Without a sign of life for this long the connection is taken for lost; we ask for one at half of it. */
const silenceTimeoutMs = 30_000;

/** A frame of the service, not yet looked into. */
export interface Frame {
  type: string;
  payload: unknown;
  ref: unknown;
}

/** One authenticated WebSocket connection. */
export class Connection {
  /** Resolves with one plain line when the connection has ended. */
  readonly ended: Promise<string>;

  private constructor(private readonly socket: WebSocket) {
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) => {
        resolve(reasonOf(code));
      });
    });
    void this.#watchSilence();
  }

  /** @throws PlainError when the service cannot be reached or refuses the token. */
  static async open(url: string, token: string, onFrame: (frame: Frame) => void): Promise<Connection> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { handshakeTimeout: openTimeoutMs });
    const authenticated = new Promise<void>((resolve, reject) => {
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'authenticate', payload: { token } }));
      });
      socket.on('message', (data, isBinary) => {
        const frame = parseFrame(data, isBinary);
        if (frame?.type === 'status' && serverFrames.status.parse(frame.payload).authenticated) resolve();
        if (frame !== undefined) onFrame(frame);
      });
      socket.on('error', (error) => {
        reject(new PlainError(`No WebSocket at ${url}: ${error.message}`));
      });
      socket.on('close', (code) => {
        reject(new PlainError(reasonOf(code)));
      });
    });
    const inTime = new AbortController();
    const late = setTimeout(openTimeoutMs, undefined, { signal: inTime.signal }).then(
      () => Promise.reject(new PlainError(`${url} does not answer.`)),
      () => undefined,
    );
    try {
      await Promise.race([authenticated, late]);
      return new Connection(socket);
    } catch (error) {
      socket.terminate();
      throw error;
    } finally {
      inTime.abort();
    }
  }

  send(type: string, payload: object, ref?: number): void {
    this.socket.send(JSON.stringify({ type, payload, ref }));
  }

  close(): void {
    this.socket.close();
  }

  /** A network that is gone says nothing: only an unanswered ping shows it. */
  async #watchSilence(): Promise<void> {
    let isAlive = true;
    this.socket.on('pong', () => (isAlive = true));
    const timer = setInterval(() => {
      if (!isAlive) this.socket.terminate();
      isAlive = false;
      this.socket.ping();
    }, silenceTimeoutMs / 2);
    await this.ended;
    clearInterval(timer);
  }
}

function parseFrame(data: WebSocket.RawData, isBinary: boolean): Frame | undefined {
  if (isBinary || !Buffer.isBuffer(data)) return undefined;
  const frame: unknown = JSON.parse(data.toString());
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string')
    return undefined;
  return {
    type: frame.type,
    payload: 'payload' in frame ? frame.payload : undefined,
    ref: 'ref' in frame ? frame.ref : undefined,
  };
}

function reasonOf(code: number): string {
  switch (code) {
    case closeCodes.draining:
      return 'The service is going down.';
    case closeCodes.sessionRevoked:
      return 'The session was ended.';
    case closeCodes.authenticationFailed:
    case closeCodes.authenticationExpired:
      return 'The service does not accept the session any longer.';
    default:
      return `The connection was lost (${code}).`;
  }
}
