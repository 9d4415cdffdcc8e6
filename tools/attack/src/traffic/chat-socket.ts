import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import WebSocket from 'ws';
import { z } from 'zod';

/** How long opening and authenticating may take. */
const openTimeoutMs = 30_000;

const authenticate: ClientFrameType = 'authenticate';
const statusFrame: ServerFrameType = 'status';

/** A frame of the service, as far as it is used here. */
export const frame = z.object({ type: z.string(), payload: z.record(z.string(), z.unknown()) });
export type Frame = z.infer<typeof frame>;

export interface Login {
  url: string;
  token: string;
  /** The local address of the socket. */
  address: string;
  capabilities?: readonly string[];
}

export interface Listeners {
  /** Called with the reply to the authentication. */
  onStatus?: (payload: Frame['payload']) => void;
  /** Called with each frame after the authentication. */
  onFrame?: (data: Buffer) => void;
  /** Called once with the close code, which is 1006 if the connection was lost. */
  onClose?: (code: number) => void;
}

/** An authenticated WebSocket from a given address. */
export class ChatSocket {
  private constructor(private readonly socket: WebSocket) {}

  /** @throws Error if it cannot be opened or authenticated; the message has the HTTP status or the close code */
  static async open({ url, token, address, capabilities }: Login, listeners: Listeners = {}): Promise<ChatSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      perMessageDeflate: false,
      localAddress: address,
      handshakeTimeout: openTimeoutMs,
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => {
          reject(new Error('not authenticated in time'));
        }, openTimeoutMs);
        // Later errors are followed by a close, which is reported.
        socket.on('error', reject);
        socket.once('open', () => {
          socket.send(JSON.stringify({ type: authenticate, payload: { token, capabilities } }));
        });
        socket.once('close', (code) => {
          reject(new Error(`closed ${code}`));
        });
        socket.once('message', (data: Buffer) => {
          const { type, payload } = parseFrame(data);
          if (type !== statusFrame || payload['authenticated'] !== true) {
            reject(new Error(`not authenticated: ${type}`));
            return;
          }
          listeners.onStatus?.(payload);
          resolve();
        });
      });
    } catch (error) {
      socket.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    socket.on('message', (data: Buffer) => listeners.onFrame?.(data));
    socket.on('close', (code) => listeners.onClose?.(code));
    return new ChatSocket(socket);
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Bytes that were sent and not accepted by the kernel yet. */
  get unsentBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(type: ClientFrameType, payload: object): void {
    if (this.isOpen) this.socket.send(JSON.stringify({ type, payload }));
  }

  ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  /** Sends one byte of a message that never ends. */
  sendFragment(): void {
    if (this.isOpen) this.socket.send('x', { fin: false });
  }

  /** Stops reading from the network. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.terminate();
  }
}

export function parseFrame(data: Buffer): Frame {
  return frame.parse(JSON.parse(data.toString()));
}
