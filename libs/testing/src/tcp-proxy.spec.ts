import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy';
import { until } from './until';

const servers: Server[] = [];
const sockets: Socket[] = [];
let proxy: TcpProxy | undefined;

/** A server that sends its name to each connection, and then echoes. */
async function named(name: string): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(name);
    socket.pipe(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function connectClient(): Socket {
  const socket = connect(proxy?.port ?? 0, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** Resolves when it is closed. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
}

async function nextText(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

afterEach(async () => {
  await proxy?.stop();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

it('connects to the servers in turn, and skips unavailable ones', async () => {
  const ports = [await named('one'), await named('two')];
  proxy = await TcpProxy.to(() => ports);
  expect([await nextText(connectClient()), await nextText(connectClient()), await nextText(connectClient())]).toEqual([
    'one',
    'two',
    'one',
  ]);
  servers[1]?.close();
  expect([await nextText(connectClient()), await nextText(connectClient())]).toEqual(['one', 'one']);
  ports.length = 0;
  await closing(connectClient());
});

it('forwards both directions, and closes when either side closes', async () => {
  const port = await named('hello');
  proxy = await TcpProxy.to(() => [port]);
  const socket = connectClient();
  expect(await nextText(socket)).toBe('hello');
  socket.write('echo');
  expect(await nextText(socket)).toBe('echo');
  const [there] = sockets.filter((each) => each !== socket);
  there?.end('goodbye');
  expect(await nextText(socket)).toBe('goodbye');
  await once(socket, 'close');
});

it('closes all connections abruptly', async () => {
  const port = await named('hello');
  proxy = await TcpProxy.to(() => [port]);
  const socket = connectClient();
  await nextText(socket);
  const closed = Promise.all(sockets.map(closing));
  proxy.cut();
  expect(await closed).toHaveLength(2);
});

it('can stop reading, which blocks the server, and continue', async () => {
  const port = await named('hello');
  proxy = await TcpProxy.to(() => [port]);
  const socket = connectClient();
  await nextText(socket);
  const there = sockets.find((each) => each !== socket);
  proxy.pauseReading();
  // More than the system buffers for a client that does not read.
  const text = Buffer.alloc(32 * 1024 * 1024);
  let received = 0;
  socket.on('data', (data) => (received += data.length));
  expect(there?.write(text)).toBe(false);
  // Data to the server still arrive.
  const toServer = once(there ?? socket, 'data');
  socket.write('are you there?');
  await toServer;
  expect(there?.writableLength).toBeGreaterThan(0);
  const all = new Promise<void>((resolve) => {
    socket.on('data', () => {
      if (received >= text.length) resolve();
    });
  });
  proxy.restore();
  await all;
});

it('also closes a connection whose server it is still connecting to', async () => {
  const port = await named('hello');
  proxy = await TcpProxy.to(() => {
    queueMicrotask(() => proxy?.cut());
    return [port];
  });
  await closing(connectClient());
});

it('holds back data, also of new connections, and refuses connections, until it is repaired', async () => {
  const port = await named('hello');
  proxy = await TcpProxy.toUrl(`http://127.0.0.1:${port}`);
  const early = connectClient();
  await nextText(early);
  proxy.stall();
  const late = connectClient();
  let received = '';
  for (const socket of [early, late]) socket.on('data', (data) => (received += data.toString()));
  early.write('echo');
  await until(() => proxy?.open === 2);
  proxy.refuse();
  await closing(connectClient());
  expect(received).toBe('');
  proxy.restore();
  await until(() => received.length === 'helloecho'.length);
  expect(await nextText(connectClient())).toBe('hello');
});
