import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Tracks the connections of an HTTP server and their requests. Create it before the server listens. It does not use
 * Fastify's hooks, because some responses bypass Fastify.
 */
export class OpenConnections {
  /**
   * The response to the last request of each connection. Node sends the responses to pipelined requests in order, so
   * this one is sent last. A set of pending responses would be slower: V8 retains removed entries in the hash tables
   * that a set has outgrown, which took the garbage collector of a busy gateway about 6 % of its time.
   */
  private readonly connections = new Map<Socket, ServerResponse | undefined>();
  private closesAfterResponse = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.connections.set(socket, response);
      if (this.closesAfterResponse) response.shouldKeepAlive = false;
    });
  }

  /**
   * Sends `Connection: close` with the last pending response of each connection, or with its next response if none is
   * pending or those headers are already sent. Destroying the connection at once could lose a request that the client
   * is sending (`ECONNRESET`).
   */
  closeAfterResponses(): void {
    this.closesAfterResponse = true;
    for (const response of this.pendingResponses()) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Closes connections that received nothing: a closing server would wait for a request on them for a minute. */
  closeUnused(): void {
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Closes all connections except WebSockets. @returns the number of closed connections that had a pending response */
  closeAll(): number {
    const { length } = this.pendingResponses();
    this.server.closeAllConnections();
    return length;
  }

  private pendingResponses(): ServerResponse[] {
    return [...this.connections.values()].filter(
      (response): response is ServerResponse => response?.writableFinished === false,
    );
  }
}
