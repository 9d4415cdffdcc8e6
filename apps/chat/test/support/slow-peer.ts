import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { SharedBudget } from '@waggle/service';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { Connection } from '../../src/realtime/connection';
import { UnsentBytes } from '../../src/realtime/slow-client-limits';

const received = z.object({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  stream: z.string().optional(),
  seq: z.int().optional(),
  cursor: z.string().optional(),
  ref: z.string().optional(),
});
export type ReceivedFrame = z.infer<typeof received>;

/** A socket whose peer reads when the test says so. */
class HeldSocket extends Socket {
  private readonly taken: Buffer[] = [];
  private readonly written: Buffer[] = [];
  private onTaken: (() => void) | undefined;

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void) {
    this.written.push(Buffer.from(chunk));
    this.onTaken = done;
  }

  override _writev(chunks: { chunk: Buffer | string }[], done: () => void) {
    for (const { chunk } of chunks) this.written.push(Buffer.from(chunk));
    this.onTaken = done;
  }

  /** @returns whether there was anything to take */
  takeAll(): boolean {
    const { onTaken } = this;
    this.onTaken = undefined;
    this.taken.push(...this.written.splice(0));
    onTaken?.();
    return onTaken !== undefined;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.taken);
  }
}

/** A client with `sync` that reads when the test says so. */
export class SlowPeer {
  private readonly socket = new HeldSocket();
  readonly connection: Connection;

  /**
   * @param connectionBytes what senders may have unsent
   * @param maxStallMs that of its connection
   */
  constructor(connectionBytes: number, maxStallMs = 60_000) {
    const request = new IncomingMessage(this.socket);
    request.method = 'GET';
    request.headers = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const sockets: WebSocket[] = [];
    new WebSocketServer({ noServer: true }).handleUpgrade(request, this.socket, Buffer.alloc(0), (socket) => {
      sockets.push(socket);
    });
    const [socket] = sockets;
    if (socket === undefined) throw new Error('no WebSocket');
    const unsent = new UnsentBytes(connectionBytes, new SharedBudget(1e9));
    this.connection = new Connection(socket, this.socket, { headers: {}, queryToken: undefined }, unsent, maxStallMs);
    this.connection.grant(['sync']);
  }

  /** Reads the data in transit. @returns whether there was any */
  read(): boolean {
    return this.socket.takeAll();
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  /** The frames that it has read completely. */
  frames(): ReceivedFrame[] {
    const { bytes } = this.socket;
    const frames: ReceivedFrame[] = [];
    for (let at = bytes.indexOf('\r\n\r\n') + 4; at + 2 <= bytes.length;) {
      const short = bytes.readUInt8(at + 1);
      // RFC 6455, section 5.2: the length has 7 bits, or 16 or 64 after them.
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (at + head > bytes.length) break;
      const length =
        head === 2 ? short : head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      if (at + head + length > bytes.length) break;
      frames.push(received.parse(JSON.parse(bytes.toString('utf8', at + head, at + head + length))));
      at += head + length;
    }
    return frames;
  }

  end() {
    this.socket.destroy();
  }
}
