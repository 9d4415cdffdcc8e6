import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { ChatSocket } from './chat-socket';

const statuses: unknown[] = [];
let server: WebSocketServer | undefined;
afterEach(() => {
  statuses.length = 0;
  for (const client of server?.clients ?? []) client.terminate();
  server?.close();
});

/** Opens a socket to a server that responds to the authentication. */
async function open(respond: (socket: WebSocket) => void): Promise<ChatSocket> {
  server?.close();
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    socket.on('message', () => {
      respond(socket);
    });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const login = { url: `http://127.0.0.1:${port}`, token: 'token', address: '127.0.0.1' };
  return await ChatSocket.open(login, { onStatus: (payload) => statuses.push(payload) });
}

const status = (payload: object) => (socket: WebSocket) => {
  socket.send(JSON.stringify({ type: 'status', payload }));
};

it('passes on the status of the authentication', async () => {
  expect((await open(status({ authenticated: true, cursor: 'a' }))).isOpen).toBe(true);
  expect(statuses).toEqual([{ authenticated: true, cursor: 'a' }]);
});

it('rejects without a status if it is not authenticated', async () => {
  await expect(open(status({ authenticated: false }))).rejects.toThrow('not authenticated: status');
  expect(statuses).toEqual([]);
});

it('leaves no timer if the connection is closed', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  const attempts = 10;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const opened = open((socket) => {
      socket.terminate();
    });
    await expect(opened).rejects.toThrow('closed 1006');
  }
  // Jest has some timers too.
  expect(timers()).toBeLessThan(before + attempts / 2);
});
