import { type Socket } from 'node:net';
import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import WebSocket from 'ws';
import { type Seat } from '../jobs';
import { bytesOf } from '../raw-data';

/** How long opening and authenticating may take. */
const openTimeoutMs = 30_000;

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';

/** An authenticated WebSocket that costs the load generator little. */
export class LoadSocket {
  #isCorked = false;

  private constructor(
    private readonly socket: WebSocket,
    private readonly transport: Socket,
  ) {}

  /**
   * @param onFrame called with each frame after the authentication
   * @param onClose called with the code when it closes by itself
   */
  static async open(
    { url, token, capabilities }: Seat,
    onFrame: (frame: Buffer) => void,
    onClose: (code: number) => void,
  ): Promise<LoadSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      perMessageDeflate: false,
      handshakeTimeout: openTimeoutMs,
      // A mask of zeros costs neither side anything, and is the same for all that are measured.
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

  /** Frames of one turn of the event loop go out as one write. */
  send(frame: string): void {
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.transport.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.transport.uncork();
      });
    }
    this.socket.send(frame);
  }
}

/** Resolves with the connection beneath. */
function opened(socket: WebSocket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let transport: Socket | undefined;
    socket.once('upgrade', (response) => (transport = response.socket));
    socket.once('open', () => {
      if (transport === undefined) reject(new Error('a WebSocket without a connection'));
      else resolve(transport);
    });
    // A close follows, and says what is to be said.
    socket.on('error', reject);
  });
}
