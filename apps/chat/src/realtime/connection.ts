import {
  closeCodes,
  type CloseReason,
  type Capability,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { randomBytes } from 'node:crypto';
import { type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { WriteCoalescer } from '../write-coalescer';
import { DeferredStreams } from './deferred-streams';
import { littleUnsentBytes } from './delivery-limits';
import { ServerFrame, type StreamPosition } from './frames';
import { type UnsentBytes } from './unsent-bytes';

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

/**
 * A connection is closed if more than this is unsent, in bytes. Others cannot make it so much: what they send is bounded by
 * `DeliveryLimits`, and of what is deferred one page is read at a time. The rest is replies to what the client itself goes on sending.
 */
const maxUnsentBytes = 3 * 1_024 * 1_024;

/**
 * A client may have this much on its way when its connection is closed, in bytes: the greatest frame, and some more. A connection on
 * which more comes is not read any longer: reading the 12 MB that fit into the buffers of both systems takes up to 100 ms, for nothing.
 */
const maxBytesAfterClose = 128 * 1_024;

/** For this long after that the client can read why its connection was closed, in milliseconds. Ending it discards what is unread. */
const unreadEndMs = 1_000;

/** What Node takes from the system at once, in bytes: more waits behind a read of this length. */
const maxReadBytes = 64 * 1_024;

const nothing = Buffer.alloc(0);

/** Enough that nobody guesses it; the peer sends it back. */
const pingBytes = 8;

/** A connection that is not read, since what it has asked for does not end, is kept for less than so many heartbeats. */
const maxStalledBeats = 4;

/** All connections of the process: each is written once in a turn of the event loop. */
const writes = new WriteCoalescer();

const none: ReadonlySet<Capability> = new Set();

/** One WebSocket: who it is, and the only way to write to it or close it. */
export class Connection {
  readonly openedAtMs = performance.now();
  private current: Authentication | undefined;
  /** What the peer was pinged with, until it has answered that. */
  private pinged: Buffer | undefined;
  /** So many heartbeats long nothing was read, and so much unsent did not become less. */
  private stalled = { beats: 0, unsentBytes: 0 };
  /** What it has asked for beyond the documented frames. */
  private capabilities: ReadonlySet<Capability> = none;
  /** What it is delivered later. */
  private deferral: DeferredStreams | undefined;
  /** The last ping that is still to be answered. */
  private pingToAnswer: Buffer | undefined;
  /** The entry whose frames are being written. */
  private lastPosition: StreamPosition | undefined;
  /** Goes on where it waits for the peer to read. */
  private wake: () => void = () => undefined;
  /** Whether nothing is read any longer. */
  private isCutOff = false;
  /** The place in each stream up to which it was told what it had missed. */
  private readonly resumed = new Map<string, number>();

  /**
   * @param stream the stream that the socket writes to
   * @param maxStallMs the connection is closed if the peer takes nothing for so long while something waits for that
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Socket,
    readonly upgrade: Upgrade,
    private readonly unsent: UnsentBytes,
    private readonly maxStallMs: number,
  ) {
    // `ws` closes a connection that breaks the protocol by itself.
    socket.on('error', () => {
      this.limitReading();
    });
    stream.on('data', ({ length }: Buffer) => {
      if (length >= maxReadBytes) this.yieldToOthers();
    });
    socket.on('ping', (data) => {
      this.answerPing(data);
    });
    stream.on('timeout', () => {
      this.close('consumerTooSlow');
    });
    // One that answers nothing says nothing: it may be sent by what has long stopped to read.
    socket.on('pong', (data) => {
      if (this.pinged?.equals(data) === true) this.pinged = undefined;
    });
  }

  get authentication(): Authentication | undefined {
    return this.current;
  }

  /** What it is delivered later; undefined while everything is written to it at once. */
  get deferred(): DeferredStreams | undefined {
    return this.deferral;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** For `Connections` alone, which finds connections by what they are authenticated as. */
  authenticate(authentication: Authentication) {
    if (this.current !== undefined && this.current.account !== authentication.account) {
      this.deferral = undefined;
      this.resumed.clear();
    }
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

  /** Writes a frame that belongs to no stream, or that replies to the client. */
  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, ref?: FrameReference) {
    this.write(new ServerFrame(type, payload), ref);
  }

  /**
   * Writes a frame. The connection is closed if too much is unsent.
   *
   * @param ref the client's own mark on the request that it answers
   * @returns how many bytes it is long
   */
  write(frame: ServerFrame, ref?: FrameReference): number {
    const bytes = this.encode(frame, ref);
    // It hears why when it reads on; `ws` cuts the connection where it does not within 30 s.
    if (this.isOpen && this.stream.writableLength > maxUnsentBytes) this.close('consumerTooSlow');
    if (this.isOpen) this.put(bytes);
    return bytes.length;
  }

  /**
   * Writes a frame, which may go to many connections, if what its sender has unsent here leaves room for it.
   *
   * @returns false, and writes nothing, if it does not
   */
  offer(frame: ServerFrame, sender: string, ref?: FrameReference): boolean {
    if (!this.isOpen) return true;
    const bytes = this.encode(frame, ref);
    if (this.keepsUp) {
      this.put(bytes);
    } else {
      const release = this.unsent.take(sender, this.current?.account ?? '', bytes.length);
      // All frames of an entry are written, or none: what is deferred is the whole entry.
      if (release === undefined && !this.hasBegun(frame.position)) return false;
      this.put(bytes, release);
    }
    this.lastPosition = frame.position;
    return true;
  }

  /** Writes a frame that may be left out, unless the connection has enough to do. */
  writeDroppable(frame: ServerFrame) {
    if (this.isOpen && this.deferral === undefined && this.keepsUp) this.put(this.encode(frame));
  }

  /** Delivers some streams later: all of them while it resumes. What was deferred already still is. */
  defer(cursor: string, isResuming: boolean): DeferredStreams {
    this.deferral = new DeferredStreams(cursor, isResuming, this.deferral);
    return this.deferral;
  }

  /** Everything that was deferred is delivered. */
  endDeferral() {
    this.deferral = undefined;
  }

  /** Of this stream everything up to this sequence number is delivered, whether it happens here only now or not. */
  noteDelivered(stream: string, seq: number) {
    this.resumed.set(stream, seq);
    this.deferral?.noteDelivered(stream, seq);
  }

  /** Returns up to where entries of a stream were delivered when the connection resumed; 0 if none were. */
  resumedUpTo(stream: string): number {
    return this.resumed.get(stream) ?? 0;
  }

  /** Whether an entry was delivered when the connection resumed. */
  hasDelivered({ stream, seq }: Pick<StreamPosition, 'stream' | 'seq'>): boolean {
    const resumed = this.resumed.get(stream);
    if (resumed === undefined) return false;
    if (seq <= resumed) return true;
    this.resumed.delete(stream);
    return false;
  }

  /** Resolves when the system has taken from us all that is unsent now, or the connection is given up. */
  async flushed(): Promise<void> {
    if (!this.isOpen || this.stream.writableLength === 0) return;
    writes.flush(this.stream);
    this.stream.setTimeout(this.maxStallMs);
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      this.stream.write(nothing, () => {
        resolve();
      });
    });
    this.stream.setTimeout(0);
  }

  onClose(listener: () => void) {
    this.socket.once('close', listener);
  }

  close(reason: CloseReason) {
    // The process may end before the next turn of the event loop.
    writes.flush(this.stream);
    if (this.isOpen) this.limitReading();
    this.socket.close(closeCodes[reason], reason);
    this.wake();
  }

  /** Stops reading while much of what was read is unfinished, so that the client's own sending slows down. */
  pause() {
    this.socket.pause();
  }

  resume() {
    this.stalled.beats = 0;
    if (!this.isCutOff) this.socket.resume();
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

  /**
   * Reads on in the next turn of the event loop. Node would read up to 2 MB of one connection in a turn: 100 large frames, which
   * take 30 ms.
   */
  private yieldToOthers() {
    this.stream.pause();
    setImmediate(() => {
      if (!this.socket.isPaused) this.stream.resume();
    });
  }

  /** Reads what may be on its way of a connection that is being closed. If more comes, stops reading and soon ends the connection. */
  private limitReading() {
    let bytesLeft = maxBytesAfterClose;
    this.stream.on('data', ({ length }: Buffer) => {
      bytesLeft -= length;
      if (bytesLeft >= 0 || this.isCutOff) return;
      this.isCutOff = true;
      this.socket.pause();
      setTimeout(() => {
        this.socket.terminate();
      }, unreadEndMs);
    });
  }

  /** Counts a heartbeat at which we do not read. */
  private isStalled(): boolean {
    const unsentBytes = this.stream.writableLength;
    const hasMoved = unsentBytes < this.stalled.unsentBytes;
    this.stalled = { beats: hasMoved ? 1 : this.stalled.beats + 1, unsentBytes };
    return this.stalled.beats >= maxStalledBeats;
  }

  /** Whether so little is unsent that nothing has to be counted. */
  private get keepsUp(): boolean {
    return this.stream.writableLength <= littleUnsentBytes;
  }

  private encode(frame: ServerFrame, ref?: FrameReference): Buffer {
    return frame.bytes(this.has('sync'), ref, this.deferral?.cursor);
  }

  private put(bytes: Buffer, onSent?: () => void) {
    writes.cork(this.stream);
    this.stream.write(bytes, onSent);
  }

  private hasBegun(position: StreamPosition | undefined): boolean {
    return (
      position !== undefined && position.seq === this.lastPosition?.seq && position.stream === this.lastPosition.stream
    );
  }

  /** While much is unsent only the last ping is answered, which is enough (RFC 6455, 5.5.3). */
  private answerPing(data: Buffer) {
    if (this.keepsUp) {
      this.socket.pong(data);
      return;
    }
    const waits = this.pingToAnswer !== undefined;
    this.pingToAnswer = data;
    if (!waits)
      this.stream.write(nothing, () => {
        if (this.isOpen && this.pingToAnswer !== undefined) this.socket.pong(this.pingToAnswer);
        this.pingToAnswer = undefined;
      });
  }
}
