import { setTimeout } from 'node:timers/promises';
import { type ClientFrameType, message, type ServerFrameType } from '@waggle/contracts';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Receiver } from '../observation';
import { ReceivedMessages, toReceivedMessage } from './received-messages';

const reconnectDelayMs = 300;

const authenticate: ClientFrameType = 'authenticate';
const chatMessage: ServerFrameType = 'chat-message';

const frame = z.object({ type: z.string(), seq: z.number().optional(), payload: z.unknown() });

export interface RawClientOptions {
  account: string;
  token: string;
  url: string;
  /** Whether it requests the `sync` capability; otherwise frames have no sequence numbers. */
  requestsSync: boolean;
}

/** A client without the library, which reconnects but never resumes. It records what each connection received. */
export class RawClient {
  /** One for each connection. */
  readonly receivers: Receiver[] = [];
  private readonly done: Promise<void>;
  private socket: WebSocket | undefined;
  private isClosing = false;

  constructor(private readonly options: RawClientOptions) {
    this.done = this.run();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.socket?.terminate();
    await this.done;
  }

  private async run(): Promise<void> {
    while (!this.isClosed()) {
      await this.connect();
      if (!this.isClosed()) await setTimeout(reconnectDelayMs);
    }
  }

  /** A method, so that TypeScript does not narrow the field across an await. */
  private isClosed(): boolean {
    return this.isClosing;
  }

  /** Connects and resolves when the connection is closed. */
  private async connect(): Promise<void> {
    const { url, token, account, requestsSync } = this.options;
    const received = new ReceivedMessages();
    const name = `${account}, ${requestsSync ? 'raw' : 'plain'} connection ${this.receivers.length + 1}`;
    const receiver: Receiver = { kind: 'connection', name, account, received: received.messages };
    this.receivers.push(receiver);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.on('error', () => undefined); // A close follows.
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    socket.on('open', () => {
      const payload = { token, ...(requestsSync && { capabilities: ['sync'] }) };
      socket.send(JSON.stringify({ type: authenticate, payload }));
    });
    socket.on('message', (data) => {
      const { type, seq, payload } = frame.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ''));
      if (type === chatMessage) received.add(toReceivedMessage(message.parse(payload), seq));
    });
    await closed;
    if (!this.isClosed()) receiver.endedAtMs = performance.now();
  }
}
