import {
  closeCodes,
  type CloseReason,
  type Capability,
  extendedServerFrames,
  type FramePosition,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { type Socket } from 'node:net';
import { WriteCoalescer } from '@waggle/service';
import { type RawData, WebSocket } from 'ws';
import { Liveness } from './liveness';
import { ServerFrame } from './server-frame';
import { littleUnsentBytes, maxUnsentReplyBytes, type UnsentBytes } from './slow-client-limits';

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

/** Maximum number of bytes that Node reads at once: after a read of this length there is more to read. */
const maxReadBytes = 64 * 1_024;

/** Written to learn when everything before it is sent. */
const nothing = Buffer.alloc(0);

/** Coalesces the writes of all connections of the process. */
const writes = new WriteCoalescer();

/** Shared by all connections without capabilities. */
const noCapabilities: ReadonlySet<Capability> = new Set();

/** A WebSocket and its authentication. All writes to the socket go through it. */
export class Connection {
  readonly openedAtMs = performance.now();
  private current: Authentication | undefined;
  private readonly liveness: Liveness;
  /** Capabilities that the client has requested. */
  private capabilities: ReadonlySet<Capability> = noCapabilities;
  /** The position of the last frame that `tryWrite` has written. */
  private lastPosition: FramePosition | undefined;
  /** The functions that resolve the promises of `flushed`. */
  private readonly flushing = new Set<() => void>();

  /**
   * @param tcpSocket the socket that the WebSocket writes to
   * @param maxStallMs the connection is closed if the peer reads nothing for this long while `flushed` waits for it
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly tcpSocket: Socket,
    readonly upgrade: Upgrade,
    private readonly unsent: UnsentBytes,
    private readonly maxStallMs: number,
  ) {
    tcpSocket.on('data', ({ length }: Buffer) => {
      if (length >= maxReadBytes) this.yieldToOthers();
    });
    tcpSocket.on('timeout', () => {
      this.close('consumerTooSlow');
    });
    this.liveness = new Liveness(socket, tcpSocket);
  }

  get authentication(): Authentication | undefined {
    return this.current;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sets the authentication. Only `Connections` may call it, which indexes connections by account and session. */
  authenticate(authentication: Authentication): void {
    this.current = authentication;
  }

  get granted(): readonly Capability[] {
    return [...this.capabilities];
  }

  has(capability: Capability): boolean {
    return this.capabilities.has(capability);
  }

  /** Whether its capabilities allow it to receive frames of a type. */
  receives(type: ServerFrameType): boolean {
    return !isExtended(type) || this.has(extendedServerFrames[type]);
  }

  grant(capabilities: readonly Capability[]): void {
    this.capabilities = capabilities.length === 0 ? noCapabilities : new Set(capabilities);
  }

  /** Writes a frame that belongs to no stream, or that replies to the client. */
  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, ref?: FrameReference): void {
    this.write(new ServerFrame(type, payload), ref);
  }

  /**
   * Writes a frame. The connection is closed if too much is unsent.
   *
   * @param ref the client's reference of the request to which it replies
   * @returns its length in bytes
   */
  write(frame: ServerFrame, ref?: FrameReference): number {
    const bytes = frame.bytes(this, ref);
    // The client gets the close code when it reads on; `ws` terminates the connection if it does not within 30 s.
    if (this.isOpen && this.tcpSocket.writableLength > maxUnsentReplyBytes) this.close('consumerTooSlow');
    if (this.isOpen) this.put(bytes);
    return bytes.length;
  }

  /**
   * Writes a frame of an event if the limits on the unsent bytes of its sender allow it.
   *
   * @param cursor replaces that of the frame
   * @returns false, and writes nothing, if they do not
   */
  tryWrite(frame: ServerFrame, sender: string, ref?: FrameReference, cursor?: string): boolean {
    if (!this.isOpen) return true;
    const bytes = frame.bytes(this, ref, cursor);
    if (this.keepsUp) {
      this.put(bytes);
    } else {
      const release = this.unsent.reserve(sender, this.current?.account ?? '', bytes.length);
      // Beyond the limit the frames of an entry are still written if its first one was: reading the entry again would
      // write all of them.
      if (release === undefined && !this.hasBegun(frame.position)) return false;
      this.put(bytes, release);
    }
    this.lastPosition = frame.position;
    return true;
  }

  /** Writes a frame, or drops it if the client does not keep up. */
  writeDroppable(frame: ServerFrame): void {
    if (this.isOpen && this.keepsUp) this.put(frame.bytes(this));
  }

  /** Resolves when the operating system has accepted all bytes that are unsent now, or the connection is closed. */
  async flushed(): Promise<void> {
    if (!this.isOpen || this.tcpSocket.writableLength === 0) return;
    writes.flush(this.tcpSocket);
    if (this.flushing.size === 0) this.tcpSocket.setTimeout(this.maxStallMs);
    await new Promise<void>((resolve) => {
      this.flushing.add(resolve);
      this.tcpSocket.write(nothing, () => {
        this.flushing.delete(resolve);
        // Others may wait for later bytes.
        if (this.flushing.size === 0) this.tcpSocket.setTimeout(0);
        resolve();
      });
    });
  }

  /** Calls the listener with each message of the client. To be called in the turn in which the socket opens. */
  onFrame(listener: (data: Buffer, isBinary: boolean) => void): void {
    this.socket.on('message', (data, isBinary) => {
      listener(toBuffer(data), isBinary);
    });
  }

  /** Calls the listener for each ping and pong of the client. */
  onControlFrame(listener: () => void): void {
    this.socket.on('ping', listener).on('pong', listener);
  }

  onClose(listener: () => void): void {
    this.socket.once('close', listener);
  }

  close(reason: CloseReason): void {
    // The process may end before the next turn of the event loop.
    writes.flush(this.tcpSocket);
    if (this.isOpen) this.liveness.cutOff();
    this.socket.close(closeCodes[reason], reason);
    for (const resolve of this.flushing) resolve();
  }

  /** Stops reading while too many frames are unfinished, so that TCP slows the client down. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.liveness.resume();
  }

  /** Pings the peer. Terminates the connection if it has not replied to the last ping, or if it is stalled. */
  heartbeat(): void {
    this.liveness.heartbeat();
  }

  /**
   * Reads on in the next turn of the event loop. Node would read up to 2 MB of one connection in a turn: 100 large
   * frames, which take 30 ms.
   */
  private yieldToOthers(): void {
    this.tcpSocket.pause();
    setImmediate(() => {
      if (!this.socket.isPaused) this.tcpSocket.resume();
    });
  }

  /** Whether so few bytes are unsent that they need not be counted. */
  private get keepsUp(): boolean {
    return this.tcpSocket.writableLength <= littleUnsentBytes;
  }

  /** @param onSent is called when the operating system has accepted the bytes */
  private put(bytes: Buffer, onSent?: () => void): void {
    writes.cork(this.tcpSocket);
    this.tcpSocket.write(bytes, onSent);
  }

  /** Whether a frame of the entry was written already. */
  private hasBegun(position: FramePosition | undefined): boolean {
    return (
      position !== undefined && position.seq === this.lastPosition?.seq && position.stream === this.lastPosition.stream
    );
  }
}

function isExtended(type: ServerFrameType): type is keyof typeof extendedServerFrames {
  return type in extendedServerFrames;
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
