import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type ResponseAllowance } from './response-budget';

interface Connection {
  /** Those of responses that are not flushed yet. */
  readonly allowances: Set<ResponseAllowance>;
  /** Bytes written to the socket at its last progress, and the time of that. */
  bytesWritten: number;
  lastProgressAtMs: number;
}

/**
 * Watches connections for responses that clients have not read yet: releases the allowance of each response when it is
 * flushed, and cuts off stalled clients.
 */
export class UnsentResponses {
  private readonly connections = new Map<Socket, Connection>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param stallMs a connection is cut off if its client reads nothing for this long while something is unsent
   * @param onCut called for each connection that is cut off
   */
  constructor(
    private readonly stallMs: number,
    private readonly onCut: () => void,
  ) {}

  /** Watches a connection, whatever is sent over it. Idempotent. */
  watch(socket: Socket): void {
    if (!this.connections.has(socket) && !socket.destroyed) this.add(socket);
  }

  /** @param socket of the request: a response that waits behind an earlier one has none yet */
  track(socket: Socket, response: ServerResponse, allowance: ResponseAllowance): void {
    const { allowances } = this.connections.get(socket) ?? this.add(socket);
    allowances.add(allowance);
    response.once('finish', () => {
      allowance.release();
      allowances.delete(allowance);
    });
  }

  private add(socket: Socket): Connection {
    const connection: Connection = {
      allowances: new Set(),
      bytesWritten: socket.bytesWritten,
      lastProgressAtMs: performance.now(),
    };
    socket.once('close', () => {
      for (const allowance of connection.allowances) allowance.release();
      this.connections.delete(socket);
    });
    this.connections.set(socket, connection);
    this.timer ??= setInterval(() => {
      this.cutStalled();
    }, this.stallMs / 15).unref();
    return connection;
  }

  private cutStalled(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.connections) {
      if (socket.writableLength === 0 || socket.bytesWritten !== connection.bytesWritten) {
        connection.bytesWritten = socket.bytesWritten;
        connection.lastProgressAtMs = nowMs;
      } else if (nowMs - connection.lastProgressAtMs >= this.stallMs) {
        socket.destroy();
        this.onCut();
      }
    }
    if (this.connections.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
