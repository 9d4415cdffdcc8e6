import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { requestId, restErrorBody, ServiceError, withoutRepeatedSlashes, type Logger } from '@waggle/service';
import { WebSocketServer } from 'ws';

/** Paths of the WebSocket, on the port of the REST API. Existing clients use both. */
const paths = new Set(['/', '/ws']);

/**
 * Limits of one unfinished message, in WebSocket fragments and in reads of the socket. Even a small fragment keeps the
 * buffer of its whole read in memory, so a limit on the length of the message is not enough. Libraries that fragment
 * do so every 4 KiB or more.
 */
const maxFragments = 64;
const maxReads = 1_024;

const notFound = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const serverError = 'HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** What Node emits for a request to switch protocols. */
interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/**
 * Extends Nest's adapter for `ws` with two paths for one gateway and the options of the library. Frames bypass Nest's
 * message handlers, which halve the throughput: `FramePump` handles them.
 */
export class ChatSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly server: Server,
    /** Counts a new connection. @throws ServiceError `rate-limited` */
    private readonly countConnection: (upgrade: IncomingMessage) => Promise<void>,
    private readonly frameBytes: number,
    private readonly log: Logger,
  ) {
    super(app);
  }

  override create(): WebSocketServer {
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: this.frameBytes,
      maxFragments,
      maxBufferedChunks: maxReads,
      perMessageDeflate: false,
      // `Connection` writes the pongs, and bounds their memory for a peer that does not read.
      autoPong: false,
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node has removed its own error listener. Without one, a reset would crash the process.
      socket.on('error', () => socket.destroy());
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        this.respondAsHttp(request, socket);
      } else if (paths.has(pathOf(request))) {
        void this.open(sockets, { request, socket, head });
      } else {
        reject(socket, notFound);
      }
    });
    return sockets;
  }

  private async open(sockets: WebSocketServer, { request, socket, head }: Upgrade): Promise<void> {
    try {
      await this.countConnection(request);
    } catch (error) {
      if (error instanceof ServiceError) reject(socket, tooManyConnections(error, requestId(request)));
      else {
        this.log.error({ err: error }, 'a connection could not be counted');
        reject(socket, serverError);
      }
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  }

  /** Responds over HTTP/1.1 to clients that offer to upgrade to another protocol, such as h2c. */
  private respondAsHttp(request: IncomingMessage, socket: Duplex): void {
    if (!(socket instanceof Socket)) throw new Error('the upgrade is not on a network socket');
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.end(() => socket.destroy()));
    this.server.emit('request', request, response);
  }

  override bindMessageHandlers(): void {
    // A `FramePump` handles the messages of each socket.
  }
}

/** Sends an HTTP response and closes the socket. */
function reject(socket: Duplex, response: string): void {
  // Nothing else would close the socket: `end` closes only our side.
  socket.end(response, () => socket.destroy());
}

function pathOf(request: IncomingMessage): string {
  const [path = '/'] = withoutRepeatedSlashes(request.url ?? '/').split('?', 1);
  return path.replace(/(?<=.)\/$/, '');
}

/** Returns an HTTP response that rejects an upgrade. */
function tooManyConnections(
  { code, message, details: { retryAfterMs = 1_000, limit } }: ServiceError,
  id: string,
): string {
  const body = JSON.stringify(restErrorBody(429, code, message, id, limit));
  return [
    'HTTP/1.1 429 Too Many Requests',
    'Connection: close',
    `Retry-After: ${Math.ceil(retryAfterMs / 1_000)}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `\r\n${body}`,
  ].join('\r\n');
}
