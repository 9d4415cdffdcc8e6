import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type ResponseAllowance } from './response-budget';

/** A connection is closed if its client reads nothing for this long, in milliseconds, while something is unsent. */
export const stalledAfterMs = 15_000;

/** A connection with responses that are not flushed yet. */
interface UnsentConnection {
  readonly allowances: Set<ResponseAllowance>;
  /** Bytes written to the socket at its last progress, and the time of that. */
  bytesWritten: number;
  lastProgressAtMs: number;
  readonly onClose: () => void;
}

/**
 * Tracks responses that clients have not read yet: releases the allowance of each when it is flushed, and cuts off
 * stalled clients.
 */
export class UnsentResponses {
  private readonly connections = new Map<Socket, UnsentConnection>();
  private timer: NodeJS.Timeout | undefined;

  /** @param onCut called for each connection that is cut off */
  constructor(
    private readonly onCut: () => void,
    private readonly limitMs = stalledAfterMs,
  ) {}

  /** @param socket of the request: a response that waits behind an earlier one has none yet */
  track(socket: Socket, response: ServerResponse, allowance: ResponseAllowance): void {
    const connection = this.connections.get(socket) ?? this.add(socket);
    connection.allowances.add(allowance);
    response.once('finish', () => {
      allowance.release();
      connection.allowances.delete(allowance);
      if (connection.allowances.size === 0) this.remove(socket, connection);
    });
  }

  private add(socket: Socket): UnsentConnection {
    const connection: UnsentConnection = {
      allowances: new Set(),
      bytesWritten: socket.bytesWritten,
      lastProgressAtMs: performance.now(),
      onClose: () => {
        for (const allowance of connection.allowances) allowance.release();
        this.remove(socket, connection);
      },
    };
    socket.once('close', connection.onClose);
    this.connections.set(socket, connection);
    this.timer ??= setInterval(() => {
      this.cutStalled();
    }, this.limitMs / 15).unref();
    return connection;
  }

  private remove(socket: Socket, { onClose }: UnsentConnection): void {
    socket.off('close', onClose);
    this.connections.delete(socket);
  }

  private cutStalled(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.connections) {
      const { bytesWritten } = socket;
      if (socket.writableLength === 0 || bytesWritten !== connection.bytesWritten) {
        connection.bytesWritten = bytesWritten;
        connection.lastProgressAtMs = nowMs;
      } else if (nowMs - connection.lastProgressAtMs >= this.limitMs) {
        socket.destroy();
        this.onCut();
      }
    }
    if (this.connections.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
