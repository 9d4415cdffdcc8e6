import { type Socket } from 'node:net';
import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import WebSocket, { type RawData } from 'ws';
import { type Participant } from '../jobs';

/** For opening and authenticating. */
const openTimeoutMs = 30_000;

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';

/** An authenticated WebSocket with little overhead for the load generator. */
export class LoadSocket {
  private isCorked = false;

  private constructor(
    private readonly socket: WebSocket,
    private readonly transport: Socket,
  ) {}

  /**
   * @param onFrame called with each frame after the authentication
   * @param onClose called with the close code
   */
  static async open(
    { url, token, capabilities }: Participant,
    onFrame: (frame: Buffer) => void,
    onClose: (code: number) => void,
  ): Promise<LoadSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      perMessageDeflate: false,
      handshakeTimeout: openTimeoutMs,
      // Masking with zeros costs nothing.
      generateMask: (mask) => mask.fill(0),
    });
    const transport = await opened(socket);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${url} does not authenticate`));
      }, openTimeoutMs);
      socket.once('close', (code) => {
        reject(new Error(`${url} closed the connection: ${code}`));
      });
      socket.once('message', (data) => {
        clearTimeout(timer);
        const text = bytesOf(data).toString();
        if (text.includes(`"${status}"`) && text.includes('"authenticated":true')) resolve();
        else reject(new Error(`${url} does not authenticate: ${text}`));
      });
      socket.send(JSON.stringify({ type: authenticate, payload: { token, capabilities } }));
    });
    socket.on('message', (data) => {
      onFrame(bytesOf(data));
    });
    socket.removeAllListeners('close').on('close', onClose);
    return new LoadSocket(socket, transport);
  }

  /** Sends a frame; frames of one turn of the event loop are written at once. */
  send(frame: string): void {
    if (!this.isCorked) {
      this.isCorked = true;
      this.transport.cork();
      process.nextTick(() => {
        this.isCorked = false;
        this.transport.uncork();
      });
    }
    this.socket.send(frame);
  }
}

/** Resolves with the TCP socket. */
function opened(socket: WebSocket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let transport: Socket | undefined;
    socket.once('upgrade', (response) => (transport = response.socket));
    socket.once('open', () => {
      if (transport === undefined) reject(new Error('a WebSocket without a connection'));
      else resolve(transport);
    });
    socket.on('error', reject);
  });
}

/** Returns the bytes of a message, without a copy for the default type of `ws`. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
