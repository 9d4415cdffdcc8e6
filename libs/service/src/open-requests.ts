import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Tracks the connections and requests of a Node server, from its creation on. Not by Fastify's hooks, because some
 * responses bypass Fastify.
 */
export class OpenRequests {
  /**
   * The response to the last request of each connection; Node sends earlier ones before it. Not a set of pending
   * responses: V8 retains removed entries in outgrown hash tables, which took the garbage collector of a busy gateway
   * about 6 % of its time.
   */
  private readonly connections = new Map<Socket, ServerResponse | undefined>();
  private areLast = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.connections.set(socket, response);
      if (this.areLast) response.shouldKeepAlive = false;
    });
  }

  /**
   * Closes each connection after its next response, including pending ones whose headers are not sent (`Connection:
   * close`). Closing a connection while the client sends a request would lose it (`ECONNRESET`).
   */
  closeAfterResponses(): void {
    this.areLast = true;
    for (const response of this.underWay()) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Closes connections on which nothing was received: a closing server would wait for a request on them forever. */
  closeUnused(): void {
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Closes all connections except WebSockets. @returns the number of requests that were aborted */
  closeAll(): number {
    const { length } = this.underWay();
    this.server.closeAllConnections();
    return length;
  }

  private underWay(): ServerResponse[] {
    return [...this.connections.values()].filter(
      (response): response is ServerResponse => response?.writableFinished === false,
    );
  }
}
