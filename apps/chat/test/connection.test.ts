import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import { Connection } from '../src/realtime/connection';

describe('a connection', () => {
  let server: Server;
  let sockets: WebSocketServer;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    sockets = new WebSocketServer({ server, autoPong: false });
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
    await once(server, 'close');
  });

  /** Both ends of one. */
  const connect = async (options: WebSocket.ClientOptions = {}) => {
    const connected = once(sockets, 'connection');
    const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
    const [socket, request] = (await connected) as [WebSocket, IncomingMessage];
    if (peer.readyState !== WebSocket.OPEN) await once(peer, 'open');
    const connection = new Connection(socket, request.socket, { headers: {}, queryToken: undefined });
    return { peer, connection, stream: request.socket, closed: once(socket, 'close') };
  };

  describe('whose peer is pinged', () => {
    it('lives while it answers', async () => {
      const { peer, connection } = await connect();
      for (let beat = 0; beat < 5; beat += 1) {
        const pinged = once(peer, 'ping');
        connection.heartbeat();
        await pinged;
        // What comes after the pong was read after it.
        const said = once(peer, 'pong');
        peer.ping('seen');
        await said;
        expect(connection.isOpen).toBe(true);
      }
    });

    it('ends where pongs come that answer nothing', async () => {
      const { peer, connection, closed } = await connect({ autoPong: false });
      connection.heartbeat();
      await once(peer, 'ping');
      for (const data of ['', '0', '1']) peer.pong(data);
      const said = once(peer, 'pong');
      peer.ping('seen');
      await said;
      connection.heartbeat();
      await closed;
    });

    it('ends where it is not read for several beats, and what it is owed does not grow less', async () => {
      const { connection, closed } = await connect();
      connection.pause();
      for (let beat = 0; beat < 3; beat += 1) connection.heartbeat();
      expect(connection.isOpen).toBe(true);
      connection.resume();
      connection.pause();
      for (let beat = 0; beat < 3; beat += 1) connection.heartbeat();
      expect(connection.isOpen).toBe(true);
      connection.heartbeat();
      await closed;
    });
  });

  describe('that has much unsent', () => {
    const hint = { username: 'bob', online: true };

    it('is told what counts, and no hints', async () => {
      const { peer, connection, stream } = await connect();
      peer.pause();
      connection.send('presence-changed', hint);
      const text = 'x'.repeat(100_000);
      while (stream.writableLength <= 64 * 1024) {
        connection.send('acknowledged', { conversation_id: text });
        await new Promise(setImmediate);
      }
      connection.send('presence-changed', hint);
      connection.send('acknowledged', { conversation_id: 'last' });
      const heard: string[] = [];
      const done = new Promise<void>((resolve) => {
        peer.on('message', (data: Buffer) => {
          heard.push(data.toString());
          if (data.includes('"last"')) resolve();
        });
      });
      peer.resume();
      await done;
      expect(heard.filter((frame) => frame.includes('presence-changed'))).toHaveLength(1);
    });

    it('is told no hints of what happens while it resumes', async () => {
      const { peer, connection } = await connect();
      connection.hold();
      connection.send('presence-changed', hint);
      connection.send('acknowledged', { conversation_id: 'held' });
      const message = once(peer, 'message');
      connection.release();
      expect(String(await message)).toContain('"held"');
    });
  });
});
