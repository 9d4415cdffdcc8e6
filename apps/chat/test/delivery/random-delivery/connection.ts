import { Socket } from 'node:net';
import { type FrameReference } from '@waggle/contracts';
import { SharedBudget } from '@waggle/service';
import { WebSocket } from 'ws';
import { Connection } from '../../../src/realtime/connection';
import { type ServerFrame } from '../../../src/realtime/server-frame';
import { UnsentBytes } from '../../../src/realtime/slow-client-limits';

/** A frame that a client has received: of an entry, and the reply to its request if it has a reference. */
export interface Received {
  stream: string;
  seq: number;
  ref: FrameReference | undefined;
}

/** A connection whose client receives at once what is written to it. */
export class TestConnection extends Connection {
  readonly received: Received[] = [];
  /** Whether the client is slow: there is no room for what is written live. */
  isSlow = false;
  private isClosed = false;

  constructor() {
    // Neither is used.
    const [socket, stream]: [WebSocket, Socket] = [Object.create(WebSocket.prototype), new Socket()];
    const upgrade = { headers: {}, queryToken: undefined };
    super(socket, stream, upgrade, new UnsentBytes(0, new SharedBudget(0)), Infinity);
  }

  override get isOpen(): boolean {
    return !this.isClosed;
  }

  override write({ position }: ServerFrame, ref?: FrameReference): number {
    if (this.isOpen && position !== undefined) this.received.push({ stream: position.stream, seq: position.seq, ref });
    return 0;
  }

  override tryWrite(frame: ServerFrame, _sender: string, ref?: FrameReference): boolean {
    if (!this.isSlow) this.write(frame, ref);
    return !this.isSlow;
  }

  override flushed(): Promise<void> {
    return Promise.resolve();
  }

  override close() {
    this.isClosed = true;
  }
}
