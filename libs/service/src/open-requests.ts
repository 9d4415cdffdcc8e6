import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** What of a server is under way, from the time that this is made. At Node's own server: not every answer comes by way of Fastify. */
export class OpenRequests {
  /**
   * Of each connection the answer to its last request: Node gives the earlier ones before it. No set of those that are under way:
   * V8 keeps what came to a set and went alive with its outgrown tables, for which the garbage collector of a busy
   * gateway took some 6 % of its time.
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
   * From now on every answer is the last one of its connection, and says so (`Connection: close`), those that are under way
   * and have not begun included: a connection that were closed while the client sends on it would lose that request
   * (`ECONNRESET`).
   */
  closeAfterResponses(): void {
    this.areLast = true;
    for (const response of this.underWay()) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Ends connections that never sent anything: Node waits for a request on them, for ever in a server that closes. */
  closeUnused(): void {
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Ends all connections but WebSockets. @returns on how many of them a request was under way */
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
