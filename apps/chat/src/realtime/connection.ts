import {
  closeCodes,
  type CloseReason,
  type Capability,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { randomBytes } from 'node:crypto';
import { type Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { Corks } from '../corks';
import { ServerFrame } from './frames';

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

/** With more unsent than so many bytes a client is told no hints. */
const unsentWithHintsMost = 64 * 1024;

/** What was missed is written in pieces of so many bytes, the next one when the one before was read. */
const pausedBytes = 256 * 1024;

/** Enough that nobody guesses it; the peer sends it back. */
const pingBytes = 8;

/** A connection that is not read, since what it has asked for does not end, is kept for less than so many heartbeats. */
const stalledBeatsMost = 4;

/** All connections of the process: each is written once in a turn of the event loop. */
const corks = new Corks();

/** Whoever reads none of it for so long is gone, or had better come back. */
const pauseMostMs = 15_000;

const none: ReadonlySet<Capability> = new Set();

/** One WebSocket: who it is, and the only way to write to it or close it. */
export class Connection {
  private current: Authentication | undefined;
  /** What the peer was pinged with, until it has answered that. */
  private pinged: Buffer | undefined;
  /** So many heartbeats long nothing was read, and so much unsent did not become less. */
  private stalled = { beats: 0, unsentBytes: 0 };
  /** What it has asked for beyond the documented frames. */
  private capabilities: ReadonlySet<Capability> = none;
  /** Held back while what was missed is read. */
  private held: { frame: ServerFrame; ref: FrameReference | undefined }[] | undefined;
  private heldBytes = 0;
  /** Goes on where it waits for the peer to read. */
  private wake: () => void = () => undefined;
  /** The place in each stream up to which it was told what it had missed. */
  private readonly resumed = new Map<string, number>();

  /** @param stream the stream that the socket writes to */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    readonly upgrade: Upgrade,
  ) {
    socket.on('ping', (data) => {
      this.whenRead(() => {
        socket.pong(data);
      });
    });
    // One that answers nothing says nothing: it may be sent by what has long stopped to read.
    socket.on('pong', (data) => {
      if (this.pinged?.equals(data) === true) this.pinged = undefined;
    });
  }

  get authentication(): Authentication | undefined {
    return this.current;
  }

  /** While it is told what it has missed. */
  get isResuming(): boolean {
    return this.held !== undefined;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** For `Connections` alone, which finds connections by what they are authenticated as. */
  authenticate(authentication: Authentication) {
    this.current = authentication;
  }

  get granted(): readonly Capability[] {
    return [...this.capabilities];
  }

  has(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }

  grant(capabilities: readonly Capability[]) {
    this.capabilities = capabilities.length === 0 ? none : new Set(capabilities);
  }

  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, ref?: FrameReference) {
    this.write(new ServerFrame(type, payload), ref);
  }

  /**
   * Writes a frame, which may go to many connections, unless it was told already when the connection resumed and answers nothing.
   * @param ref the client's own mark on the request that it answers
   */
  write(frame: ServerFrame, ref?: FrameReference) {
    if (frame.isHint && (this.held !== undefined || this.stream.writableLength > unsentWithHintsMost)) return;
    if (this.held === undefined) {
      if (!this.wasTold(frame) || ref !== undefined) this.writePast(frame, ref);
    } else if (this.heldBytes <= unsentBytesMost) {
      this.held.push({ frame, ref });
      this.heldBytes += frame.size;
    } else {
      this.close('consumerTooSlow');
    }
  }

  /** Holds back what is written until `release`: what was missed goes first. */
  hold() {
    this.held = [];
    this.heldBytes = 0;
  }

  release() {
    const { held = [] } = this;
    this.held = undefined;
    for (const { frame, ref } of held) this.write(frame, ref);
  }

  /** Of this stream only what lies after the place is told from now on. */
  tellAfter(stream: string, seq: number) {
    this.resumed.set(stream, seq);
  }

  /** Sends past what is held back. */
  sendPast<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, ref?: FrameReference) {
    this.writePast(new ServerFrame(type, payload), ref);
  }

  /** Writes past what is held back. @returns how many bytes it is long */
  writePast(frame: ServerFrame, ref?: FrameReference): number {
    const bytes = frame.bytes(this.has('sync'), ref);
    this.whenRead(() => {
      corks.cork(this.stream);
      this.stream.write(bytes);
    });
    return bytes.length;
  }

  /** Resolves at once while little is unsent, else when the system has taken it from us, or the connection is given up. */
  async drained(): Promise<void> {
    if (!this.stream.writableNeedDrain || this.stream.writableLength < pausedBytes || !this.isOpen) return;
    corks.release(this.stream);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.close('consumerTooSlow');
      }, pauseMostMs);
      this.wake = () => {
        clearTimeout(timer);
        this.stream.off('drain', this.wake).off('close', this.wake);
        resolve();
      };
      this.stream.on('drain', this.wake).on('close', this.wake);
    });
  }

  onClose(listener: () => void) {
    this.socket.once('close', listener);
  }

  close(reason: CloseReason) {
    // The process may end before the next turn of the event loop.
    corks.release(this.stream);
    this.socket.close(closeCodes[reason], reason);
    this.wake();
  }

  /** Stops reading while much of what was read is unfinished, so that the client's own sending slows down. */
  pause() {
    this.socket.pause();
  }

  resume() {
    this.stalled.beats = 0;
    this.socket.resume();
  }

  /** Pings the peer, and ends the connection where it did not answer the ping before, or nothing moves any more. */
  heartbeat() {
    // While we do not read we cannot hear an answer either.
    const isDead = this.socket.isPaused ? this.isStalled() : this.pinged !== undefined;
    if (isDead) {
      this.socket.terminate();
    } else if (!this.socket.isPaused) {
      this.pinged = randomBytes(pingBytes);
      this.socket.ping(this.pinged);
    }
  }

  /** Counts a heartbeat at which we do not read. */
  private isStalled(): boolean {
    const unsentBytes = this.stream.writableLength;
    const hasMoved = unsentBytes < this.stalled.unsentBytes;
    this.stalled = { beats: hasMoved ? 1 : this.stalled.beats + 1, unsentBytes };
    return this.stalled.beats >= stalledBeatsMost;
  }

  private wasTold({ place }: ServerFrame): boolean {
    const told = place === undefined ? undefined : this.resumed.get(place.stream);
    if (place === undefined || told === undefined) return false;
    if (place.seq <= told) return true;
    this.resumed.delete(place.stream);
    return false;
  }

  /** Writes unless the peer leaves so much unread that it is too slow to be kept; nothing is written after the close. */
  private whenRead(write: () => void) {
    if (!this.isOpen) return;
    if (this.stream.writableLength <= unsentBytesMost) write();
    // It hears why when it reads on; `ws` cuts the connection where it does not within 30 s.
    else this.close('consumerTooSlow');
  }
}
