import { type IncomingMessage, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { type INestApplicationContext } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketServer } from 'ws';

/** Where the WebSocket answers, on the REST port. Clients in the field use both. */
const paths = new Set(['/', '/ws']);

/**
 * Nest's adapter for `ws` with what it does not offer: two paths for one gateway, and the library's options. Frames do
 * not go through Nest's per-message contexts, which halve the throughput; `FramePump` takes them from the socket.
 */
export class ChatSocketAdapter extends WsAdapter {
  constructor(
    app: INestApplicationContext,
    private readonly server: Server,
    private readonly frameBytes: number,
  ) {
    super(app);
  }

  override create(): WebSocketServer {
    const sockets = new WebSocketServer({ noServer: true, maxPayload: this.frameBytes, perMessageDeflate: false });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (paths.has(pathOf(request))) {
        sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
      } else {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      }
    });
    return sockets;
  }

  override bindMessageHandlers() {
    // Taken by the FramePump of each connection.
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
