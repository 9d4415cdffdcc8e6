import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { ServiceError, withoutRepeatedSlashes, type Logger } from '@waggle/service';
import { WebSocketServer } from 'ws';
import { type ConnectionLimit } from '../rate-limits/connection-limit';

/** Where the WebSocket answers, on the REST port. Clients in the field use both. */
const paths = new Set(['/', '/ws']);

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const fault = 'HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const tooManyRequests = (retryAfterMs: number) =>
  `HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: ${Math.ceil(retryAfterMs / 1_000)}\r\nContent-Length: 0\r\n\r\n`;

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/**
 * Nest's adapter for `ws` with what it does not offer: two paths for one gateway, and the library's options. Frames do
 * not go through Nest's per-message contexts, which halve the throughput; `FramePump` takes them from the socket.
 */
export class ChatSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly server: Server,
    private readonly limit: ConnectionLimit,
    private readonly frameBytes: number,
    private readonly log: Logger,
  ) {
    super(app);
  }

  override create(): WebSocketServer {
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: this.frameBytes,
      perMessageDeflate: false,
      // Pongs are written by `Connection`, which bounds what a peer that does not read can make us hold.
      autoPong: false,
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node takes its own listener off before it hands the socket over; a reset without one would end the process.
      socket.on('error', () => socket.destroy());
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        this.answerAsHttp(request, socket);
      } else if (paths.has(pathOf(request))) {
        void this.open(sockets, { request, socket, head });
      } else {
        refuse(socket, notFound);
      }
    });
    return sockets;
  }

  private async open(sockets: WebSocketServer, { request, socket, head }: Upgrade) {
    try {
      await this.limit.consume(request);
    } catch (error) {
      if (error instanceof ServiceError) refuse(socket, tooManyRequests(error.details.retryAfterMs ?? 1_000));
      else {
        this.log.error({ err: error }, 'a connection could not be counted');
        refuse(socket, fault);
      }
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  }

  /** Clients that offer another protocol beside HTTP/1.1, such as h2c, are content with HTTP/1.1. */
  private answerAsHttp(request: IncomingMessage, socket: Duplex) {
    if (!(socket instanceof Socket)) throw new Error('an upgrade on what is no socket');
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.end(() => socket.destroy()));
    this.server.emit('request', request, response);
  }

  override bindMessageHandlers() {
    // Taken by the FramePump of each connection.
  }
}

function refuse(socket: Duplex, answer: string) {
  // Destroyed, not half closed: nobody else would ever end it.
  socket.end(answer, () => socket.destroy());
}

function pathOf(request: IncomingMessage): string {
  const [path = '/'] = withoutRepeatedSlashes(request.url ?? '/').split('?', 1);
  return path.replace(/(?<=.)\/$/, '');
}
