import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** What of a server is under way, from the time that this is made. At Node's own server: not every answer comes by way of Fastify. */
export class OpenRequests {
  private readonly sockets = new Set<Socket>();
  private readonly responses = new Set<ServerResponse>();
  private areLast = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.responses.add(response);
      response.once('close', () => this.responses.delete(response));
      if (this.areLast) response.shouldKeepAlive = false;
    });
  }

  /**
   * From now on every answer is the last one of its connection, and says so (`Connection: close`), those that are under way
   * and have not begun included: a connection that were closed while the client sends on it would lose that request
   * (`ECONNRESET`).
   */
  makeLast(): void {
    this.areLast = true;
    for (const response of this.responses) if (!response.headersSent) response.shouldKeepAlive = false;
  }

  /** Ends connections that never sent anything: Node waits for a request on them, for ever in a server that closes. */
  endUnused(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Ends all connections but WebSockets. @returns how many requests were under way */
  cutOff(): number {
    const { size } = this.responses;
    this.server.closeAllConnections();
    return size;
  }
}
