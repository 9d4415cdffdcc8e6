import {
  closeCodes,
  type CloseReason,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { WebSocket } from 'ws';
import { encodeFrame } from './frames';

/** What the upgrade request said about whoever connects. */
export interface Upgrade {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `?token=` of the URL. */
  queryToken: string | undefined;
}

/** Proof that a connection belongs to an account, and until when. */
export interface Authentication {
  account: string;
  sessionId: string;
  untilMs: number;
}

/** Above this much unsent data, in bytes, a client is too slow to be kept: what it is owed must not fill our memory. */
const unsentBytesMost = 4 * 1024 * 1024;

/** One WebSocket: who it is, and the only way to write to it or close it. */
export class Connection {
  private current: Authentication | undefined;
  /** Answered to a ping since the last heartbeat. */
  private alive = true;

  constructor(
    private readonly socket: WebSocket,
    readonly upgrade: Upgrade,
  ) {
    socket.on('ping', (data) => {
      this.whenRead(() => {
        socket.pong(data);
      });
    });
    socket.on('pong', () => {
      this.alive = true;
    });
  }

  get authentication(): Authentication | undefined {
    return this.current;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** For `Connections` alone, which finds connections by what they are authenticated as. */
  authenticate(authentication: Authentication) {
    this.current = authentication;
  }

  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, ref?: FrameReference) {
    this.write(encodeFrame(type, payload, ref));
  }

  /** Writes an encoded frame; the same text may go to many connections. */
  write(frame: string) {
    this.whenRead(() => {
      this.socket.send(frame);
    });
  }

  onClose(listener: () => void) {
    this.socket.once('close', listener);
  }

  close(reason: CloseReason) {
    this.socket.close(closeCodes[reason], reason);
  }

  /** Stops reading while much of what was read is unfinished, so that the client's own sending slows down. */
  pause() {
    this.socket.pause();
  }

  resume() {
    this.socket.resume();
  }

  /** Pings the peer, and ends the connection where it did not answer the ping before. */
  heartbeat() {
    // While we do not read we cannot hear an answer either.
    if (this.socket.isPaused) return;
    if (!this.alive) {
      this.socket.terminate();
      return;
    }
    this.alive = false;
    this.socket.ping();
  }

  /** Writes unless the peer leaves so much unread that it is too slow to be kept; nothing is written after the close. */
  private whenRead(write: () => void) {
    if (!this.isOpen) return;
    if (this.socket.bufferedAmount <= unsentBytesMost) write();
    // It hears why when it reads on; `ws` cuts the connection where it does not within 30 s.
    else this.close('consumerTooSlow');
  }
}
