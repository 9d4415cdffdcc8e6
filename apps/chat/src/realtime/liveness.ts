import { randomBytes } from 'node:crypto';
import { type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { littleUnsentBytes } from './slow-client-limits';

/**
 * Interval of pings to a connection, in milliseconds, below the idle timeouts of common proxies (60 s). The connection
 * is terminated if no pong has come by the next ping, unless reading is paused.
 */
export const heartbeatMs = 30_000;

/**
 * Bytes that are still read after a connection is closed: the largest frame and some more. Then reading stops, since
 * reading the 12 MB that fit into the buffers of both systems would take up to 100 ms for nothing.
 */
const maxBytesAfterClose = 128 * 1_024;

/**
 * Time from the end of reading until the socket is destroyed, in milliseconds, so that the client can read the close
 * code first.
 */
const unreadEndMs = 1_000;

/** Length of the random payload of a ping, which the peer cannot guess. */
const pingBytes = 8;

/** A connection whose reading is paused is terminated after this many heartbeats without progress. */
const maxPausedBeats = 4;

/** Written to learn when everything before it is sent. */
const nothing = Buffer.alloc(0);

/**
 * Terminates a WebSocket whose peer is gone, stalled, or goes on sending after the close. Replies to the pings of the
 * peer.
 */
export class Liveness {
  /** Payload of the last ping, until the peer replies to it. */
  private pinged: Buffer | undefined;
  /** The last ping of the peer that has no pong yet. */
  private pendingPing: Buffer | undefined;
  /** Heartbeats without progress while reading is paused, and the number of unsent bytes at the last of them. */
  private paused = { beats: 0, unsentBytes: 0 };
  /** Whether reading has stopped for good. */
  private isCutOff = false;

  /** @param tcpSocket the socket that the WebSocket writes to */
  constructor(
    private readonly socket: WebSocket,
    private readonly tcpSocket: Socket,
  ) {
    // `ws` closes a connection that breaks the protocol by itself.
    socket.on('error', () => {
      this.cutOff();
    });
    socket.on('ping', (data) => {
      this.sendPong(data);
    });
    // Only a pong with the payload of the ping shows that the peer reads; others may be unsolicited.
    socket.on('pong', (data) => {
      if (this.pinged?.equals(data) === true) this.pinged = undefined;
    });
  }

  /** Pings the peer. Terminates the connection if it has not replied to the last ping, or if it is stalled. */
  heartbeat(): void {
    // While reading is paused, pongs are not read either.
    const isDead = this.socket.isPaused ? this.isStalled() : this.pinged !== undefined;
    if (isDead) {
      this.socket.terminate();
    } else if (!this.socket.isPaused) {
      this.pinged = randomBytes(pingBytes);
      this.socket.ping(this.pinged);
    }
  }

  /** Reads on after a pause. */
  resume(): void {
    this.paused.beats = 0;
    if (!this.isCutOff) this.socket.resume();
  }

  /**
   * Limits what is still read of a closing connection to `maxBytesAfterClose`; then stops reading and soon terminates
   * the connection.
   */
  cutOff(): void {
    let bytesLeft = maxBytesAfterClose;
    this.tcpSocket.on('data', ({ length }: Buffer) => {
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
    const unsentBytes = this.tcpSocket.writableLength;
    const hasMoved = unsentBytes < this.paused.unsentBytes;
    this.paused = { beats: hasMoved ? 1 : this.paused.beats + 1, unsentBytes };
    return this.paused.beats >= maxPausedBeats;
  }

  /**
   * Sends a pong for the last ping of a turn of the event loop, which is enough (RFC 6455, 5.5.3). While many bytes are
   * unsent, waits until they are sent.
   */
  private sendPong(data: Buffer): void {
    const waits = this.pendingPing !== undefined;
    this.pendingPing = data;
    if (waits) return;
    const send = (): void => {
      if (this.socket.readyState === WebSocket.OPEN && this.pendingPing !== undefined)
        this.socket.pong(this.pendingPing);
      this.pendingPing = undefined;
    };
    if (this.tcpSocket.writableLength <= littleUnsentBytes) setImmediate(send);
    else this.tcpSocket.write(nothing, send);
  }
}
