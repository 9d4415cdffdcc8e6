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
import { type RawData, WebSocket } from 'ws';
import { WriteCoalescer } from '../write-coalescer';
import { DeferredStreams } from './deferred-streams';
import { ServerFrame, type StreamPosition } from './frames';
import { littleUnsentBytes, maxUnsentReplyBytes, type UnsentBytes } from './unsent-bytes';

/** The credentials of the upgrade request. */
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
 * Bytes that are still read after a connection is closed: the largest frame and some more. Then reading stops, since reading the 12 MB that
 * fit into the buffers of both systems would take up to 100 ms for nothing.
 */
const maxBytesAfterClose = 128 * 1_024;

/** Time after that until the socket is destroyed, in milliseconds, so that the client can read the close code first. */
const unreadEndMs = 1_000;

/** Most bytes that Node reads at once: after a read of this length there is more to read. */
const maxReadBytes = 64 * 1_024;

const nothing = Buffer.alloc(0);

/** Length of the random payload of a ping, which the peer cannot guess. */
const pingBytes = 8;

/** A connection whose reading is paused is terminated after this many heartbeats without progress. */
const maxStalledBeats = 4;

/** Coalesces the writes of all connections of the process. */
const writes = new WriteCoalescer();

const none: ReadonlySet<Capability> = new Set();

/** A WebSocket and its authentication. All writes to the socket go through it. */
export class Connection {
  readonly openedAtMs = performance.now();
  private current: Authentication | undefined;
  /** Payload of the last ping, until the peer replies to it. */
  private pinged: Buffer | undefined;
  /** Heartbeats during which nothing was read and the number of unsent bytes did not decrease. */
  private stalled = { beats: 0, unsentBytes: 0 };
  /** Capabilities that the client has requested. */
  private capabilities: ReadonlySet<Capability> = none;
  /** Entries that are delivered later. */
  private deferral: DeferredStreams | undefined;
  /** The last ping of the peer that has no pong yet. */
  private pendingPing: Buffer | undefined;
  /** The entry whose frames are being written. */
  private lastPosition: StreamPosition | undefined;
  /** Resolve the promises of `flushed`. */
  private readonly flushing = new Set<() => void>();
  /** Whether reading has stopped for good. */
  private isCutOff = false;
  /** The sequence number up to which each stream was delivered when the connection resumed. */
  private readonly resumed = new Map<string, number>();

  /**
   * @param stream the stream that the socket writes to
   * @param maxStallMs the connection is closed if the peer reads nothing for this long while `flushed` waits for it
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
      this.sendPong(data);
    });
    stream.on('timeout', () => {
      this.close('consumerTooSlow');
    });
    // Only a pong with the payload of the ping shows that the peer reads; others may be unsolicited.
    socket.on('pong', (data) => {
      if (this.pinged?.equals(data) === true) this.pinged = undefined;
    });
  }

  get authentication(): Authentication | undefined {
    return this.current;
  }

  /** Entries that are delivered later; undefined while the connection is live. */
  get deferred(): DeferredStreams | undefined {
    return this.deferral;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** To be called only by `Connections`, which indexes connections by account and session. */
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
   * @param ref the client's reference of the request to which it replies
   * @returns its length in bytes
   */
  write(frame: ServerFrame, ref?: FrameReference): number {
    const bytes = this.encode(frame, ref);
    // The client gets the close code when it reads on; `ws` terminates the connection if it does not within 30 s.
    if (this.isOpen && this.stream.writableLength > maxUnsentReplyBytes) this.close('consumerTooSlow');
    if (this.isOpen) this.put(bytes);
    return bytes.length;
  }

  /**
   * Writes a frame of an event if the limits on the unsent bytes of its sender allow it.
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

  /** Writes a frame, or drops it if the connection is behind. */
  writeDroppable(frame: ServerFrame) {
    if (this.isOpen && this.deferral === undefined && this.keepsUp) this.put(this.encode(frame));
  }

  /** Begins to defer streams: all of them while the connection resumes. What was deferred before stays deferred. */
  defer(cursor: string, { isResuming }: { isResuming: boolean }): DeferredStreams {
    this.deferral = new DeferredStreams(cursor, isResuming, this.deferral);
    return this.deferral;
  }

  /** Makes the connection live again, when everything that was deferred is delivered. */
  endDeferral() {
    this.deferral = undefined;
  }

  /** Notes that a stream is delivered up to a sequence number. If the connection resumes, this instance may not have reached it yet. */
  noteDelivered(stream: string, seq: number) {
    if (this.deferral?.isResuming === true) this.resumed.set(stream, seq);
    this.deferral?.noteDelivered(stream, seq);
  }

  /** Returns the sequence number up to which a stream was delivered when the connection resumed; 0 if none was. */
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

  /** Resolves when the operating system has accepted all bytes that are unsent now, or the connection is closed. */
  async flushed(): Promise<void> {
    if (!this.isOpen || this.stream.writableLength === 0) return;
    writes.flush(this.stream);
    if (this.flushing.size === 0) this.stream.setTimeout(this.maxStallMs);
    await new Promise<void>((resolve) => {
      this.flushing.add(resolve);
      this.stream.write(nothing, () => {
        this.flushing.delete(resolve);
        // Others may wait for later bytes.
        if (this.flushing.size === 0) this.stream.setTimeout(0);
        resolve();
      });
    });
  }

  /** Calls the listener with each message of the client. To be called in the turn in which the socket opens. */
  onFrame(listener: (data: Buffer, isBinary: boolean) => void) {
    this.socket.on('message', (data, isBinary) => {
      listener(toBuffer(data), isBinary);
    });
  }

  onClose(listener: () => void) {
    this.socket.once('close', listener);
  }

  close(reason: CloseReason) {
    // The process may end before the next turn of the event loop.
    writes.flush(this.stream);
    if (this.isOpen) this.limitReading();
    this.socket.close(closeCodes[reason], reason);
    for (const resolve of this.flushing) resolve();
  }

  /** Stops reading while too many frames are unfinished, so that TCP slows the client down. */
  pause() {
    this.socket.pause();
  }

  resume() {
    this.stalled.beats = 0;
    if (!this.isCutOff) this.socket.resume();
  }

  /** Pings the peer. Terminates the connection if it has not replied to the last ping, or if it is stalled. */
  heartbeat() {
    // While reading is paused, pongs are not read either.
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

  /** Limits what is still read of a closing connection to `maxBytesAfterClose`; then stops reading and soon terminates the connection. */
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

  /** Counts a heartbeat while reading is paused. @returns whether the connection is stalled */
  private isStalled(): boolean {
    const unsentBytes = this.stream.writableLength;
    const hasMoved = unsentBytes < this.stalled.unsentBytes;
    this.stalled = { beats: hasMoved ? 1 : this.stalled.beats + 1, unsentBytes };
    return this.stalled.beats >= maxStalledBeats;
  }

  /** Whether so few bytes are unsent that they need not be counted. */
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

  /** While many bytes are unsent, sends a pong only for the last ping, which is enough (RFC 6455, 5.5.3). */
  private sendPong(data: Buffer) {
    if (this.keepsUp) {
      this.socket.pong(data);
      return;
    }
    const waits = this.pendingPing !== undefined;
    this.pendingPing = data;
    if (!waits)
      this.stream.write(nothing, () => {
        if (this.isOpen && this.pendingPing !== undefined) this.socket.pong(this.pendingPing);
        this.pendingPing = undefined;
      });
  }
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
