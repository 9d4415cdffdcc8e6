import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { SharedBudget } from '@waggle/service';
import { until } from '@waggle/testing';
import WebSocket, { WebSocketServer } from 'ws';
import { Connection } from '../../src/realtime/connection';
import { ServerFrame } from '../../src/realtime/server-frame';
import { UnsentBytes } from '../../src/realtime/slow-client-limits';

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
    const upgrade = { headers: {}, queryToken: undefined };
    const unsent = new UnsentBytes(200_000, new SharedBudget(1_000_000));
    const connection = new Connection(socket, request.socket, upgrade, unsent, 500);
    return { peer, connection, stream: request.socket, closed: once(socket, 'close') };
  };

  describe('whose peer is pinged', () => {
    it('stays open while it sends pongs', async () => {
      const { peer, connection } = await connect();
      for (let beat = 0; beat < 5; beat += 1) {
        const pinged = once(peer, 'ping');
        connection.heartbeat();
        await pinged;
        // Frames after the pong are read after it.
        const said = once(peer, 'pong');
        peer.ping('seen');
        await said;
        expect(connection.isOpen).toBe(true);
      }
    });

    it('closes on pongs without matching pings', async () => {
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

    it('closes if it is not read for several heartbeats and its unsent bytes do not decrease', async () => {
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

  it('replies to the last of the pings that are read in one turn of the event loop', async () => {
    const { peer, connection } = await connect();
    connection.pause();
    for (let n = 0; n < 999; n += 1) peer.ping(String(n));
    await new Promise((resolve) => {
      peer.ping('999', true, resolve);
    });
    let pongs = 0;
    const replied = new Promise<void>((resolve) => {
      peer.on('pong', (data) => {
        pongs += 1;
        if (data.toString() === '999') resolve();
      });
    });
    connection.resume();
    await replied;
    expect(pongs).toBeLessThan(100);
  });

  describe('with many unsent bytes', () => {
    const hint = new ServerFrame('presence-changed', { username: 'bob', online: true });
    const said = (text: string) => new ServerFrame('acknowledged', { conversation_id: text });
    const long = said('x'.repeat(10_000));

    /** Enough to fill all buffers of a peer that does not read. */
    const fill = async ({ connection, stream }: Awaited<ReturnType<typeof connect>>) => {
      while (stream.writableLength <= 64 * 1024) {
        connection.write(long);
        await new Promise(setImmediate);
      }
    };
    /** What the peer receives up to this text. */
    const receiveUntil = (peer: WebSocket, text: string) =>
      new Promise<string[]>((resolve) => {
        const received: string[] = [];
        peer.on('message', (data: Buffer) => {
          received.push(data.toString());
          if (data.includes(text)) resolve(received);
        });
      });

    it('gets durable frames, and no droppable ones', async () => {
      const connected = await connect();
      const { peer, connection } = connected;
      peer.pause();
      connection.writeDroppable(hint);
      await fill(connected);
      connection.writeDroppable(hint);
      connection.write(said('last'));
      const received = receiveUntil(peer, '"last"');
      peer.resume();
      expect((await received).filter((frame) => frame.includes('presence-changed'))).toHaveLength(1);
    });

    it('takes of each sender as much as is left free, until the peer reads', async () => {
      const connected = await connect();
      const { peer, connection } = connected;
      peer.pause();
      await fill(connected);
      const taken = (sender: string) => {
        let count = 0;
        while (connection.tryWrite(long, sender)) count += 1;
        return count;
      };
      expect([taken('alice'), taken('bob'), taken('carol'), taken('alice')]).toEqual([9, 5, 2, 0]);
      expect(connection.tryWrite(said('small'), 'dave')).toBe(true);
      peer.resume();
      await connection.flushed();
      expect(connection.tryWrite(long, 'alice')).toBe(true);
      expect(connection.isOpen).toBe(true);
    });

    it('takes all frames of an entry, or none', async () => {
      const connected = await connect();
      const { peer, connection } = connected;
      peer.pause();
      await fill(connected);
      const frameAt = (seq: number) =>
        new ServerFrame('conversation-removed', { id: 'x'.repeat(10_000) }, { stream: 'c', seq, cursor: 't0' });
      while (connection.tryWrite(frameAt(1), 'alice') && connected.stream.writableLength < 1_000_000);
      expect(connection.tryWrite(frameAt(2), 'alice')).toBe(false);
      expect(connection.tryWrite(frameAt(1), 'alice')).toBe(true);
    });

    it('closes with 4021 if the peer reads nothing while work waits for it', async () => {
      const connected = await connect();
      const { peer, connection } = connected;
      peer.pause();
      await fill(connected);
      const closed = once(peer, 'close');
      await connection.flushed();
      expect(connection.isOpen).toBe(false);
      peer.resume();
      expect((await closed)[0]).toBe(4021);
    });
  });

  it('reads little in one turn of the event loop, so that other connections are served', async () => {
    const { peer, stream } = await connect();
    const bytes = 8_000_000;
    const readInTurns: number[] = [];
    for (let n = 0; n < bytes; n += 40_000) peer.send('x'.repeat(40_000));
    while (stream.bytesRead < bytes) {
      const before = stream.bytesRead;
      await new Promise(setImmediate);
      readInTurns.push(stream.bytesRead - before);
    }
    expect(Math.max(...readInTurns)).toBeLessThanOrEqual(256 * 1024);
  });

  describe('that is closed while its peer continues to send', () => {
    const frame = 'x'.repeat(60_000);

    it('reads the data in transit, and the reply to the close', async () => {
      const { peer, connection, closed } = await connect();
      for (let n = 0; n < 2; n += 1) peer.send(frame);
      connection.close('rateLimited');
      expect((await closed)[0]).toBe(4008);
    });

    /** Sends 48 MB: the systems buffer some 10. */
    const flood = (peer: WebSocket) => {
      for (let n = 0; n < 800; n += 1) peer.send(frame);
    };

    it('sends the close reason, but does not read everything', async () => {
      const { peer, connection, stream, closed } = await connect();
      const delivered = once(peer, 'close');
      connection.close('rateLimited');
      flood(peer);
      expect((await delivered)[0]).toBe(4008);
      await closed;
      expect(stream.bytesRead).toBeLessThan(1_000_000);
    });

    it('reports the error of a frame, but does not read everything', async () => {
      const { peer, stream, closed } = await connect();
      const delivered = once(peer, 'close');
      peer.send(Buffer.of(0xff), { binary: false });
      flood(peer);
      await expect(closed).rejects.toThrow('invalid UTF-8');
      expect((await delivered)[0]).toBe(1007);
      await until(() => stream.destroyed);
      expect(stream.bytesRead).toBeLessThan(1_000_000);
    });
  });
});
