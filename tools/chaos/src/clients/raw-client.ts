import { setTimeout } from 'node:timers/promises';
import { type ClientFrameType, message, type ServerFrameType } from '@waggle/contracts';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Hearing } from '../observation';
import { HeldMessages, toHeard } from './held-messages';

const againMs = 300;

const authenticate: ClientFrameType = 'authenticate';
const chatMessage: ServerFrameType = 'chat-message';

const frame = z.object({ type: z.string(), seq: z.number().optional(), payload: z.unknown() });

export interface RawClientOptions {
  account: string;
  token: string;
  /** The service's, with `ws:`. */
  url: string;
  /** Whether it asks for places; else it gets the documented frames alone. */
  asksForPlaces: boolean;
}

/**
 * A client without the library, which never resumes: each of its connections begins with nothing. What is heard on each is
 * kept by itself.
 */
export class RawClient {
  readonly #hearings: Hearing[] = [];
  readonly #running: Promise<void>;
  #socket: WebSocket | undefined;
  #isOver = false;

  constructor(private readonly options: RawClientOptions) {
    this.#running = this.#run();
  }

  /** What was heard on each connection. */
  get hearings(): readonly Hearing[] {
    return this.#hearings;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#socket?.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.isOver()) {
      await this.#connect();
      if (!this.isOver()) await setTimeout(againMs);
    }
  }

  /** Asked again after every wait, in which it may have changed. */
  private isOver(): boolean {
    return this.#isOver;
  }

  /** One connection, from beginning to end. */
  async #connect(): Promise<void> {
    const { url, token, account, asksForPlaces } = this.options;
    const held = new HeldMessages();
    const who = `${account}, ${asksForPlaces ? 'raw' : 'plain'} connection ${this.#hearings.length + 1}`;
    const hearing: Hearing = { kind: 'connection', who, account, heard: held.heard };
    this.#hearings.push(hearing);
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.on('error', () => undefined); // A close follows.
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    socket.on('open', () => {
      const payload = { token, ...(asksForPlaces && { capabilities: ['sync'] }) };
      socket.send(JSON.stringify({ type: authenticate, payload }));
    });
    socket.on('message', (data) => {
      const { type, seq, payload } = frame.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ''));
      if (type === chatMessage) held.add(toHeard(message.parse(payload), seq));
    });
    await closed;
    if (!this.isOver()) hearing.endedAtMs = performance.now();
  }
}
