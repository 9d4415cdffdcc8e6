import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { WebSocketClient } from './websocket-client';

let server: WebSocketServer;
let url: string;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `ws://127.0.0.1:${address.port}/ws`;
});
afterEach(() => {
  for (const client of server.clients) client.terminate();
  server.close();
});

function onConnection(handle: (socket: WebSocket, request: IncomingMessage) => void): void {
  server.on('connection', handle);
}

it('returns frames by type in the order of arrival, including earlier ones', async () => {
  onConnection((socket) => {
    for (const n of [1, 2]) socket.send(JSON.stringify({ type: 'number', payload: { n } }));
    socket.send(JSON.stringify({ type: 'word', payload: { word: 'three' } }));
  });
  const client = await WebSocketClient.connect(url);
  expect((await client.next('word')).payload).toEqual({ word: 'three' });
  expect((await client.next('number')).payload).toEqual({ n: 1 });
  expect((await client.next((frame) => frame.payload['n'] === 2)).type).toBe('number');
  expect(client.frames).toHaveLength(3);
  await client.close();
});

it('returns each frame once to callers that wait together', async () => {
  onConnection((socket) => {
    socket.on('message', () => {
      for (const n of [1, 2, 3]) socket.send(JSON.stringify({ type: 'number', payload: { n } }));
    });
  });
  const client = await WebSocketClient.connect(url);
  const waiting = [client.next('number'), client.next('number'), client.next(({ payload }) => payload['n'] === 3)];
  client.send('send');
  expect((await Promise.all(waiting)).map(({ payload }) => payload['n'])).toEqual([1, 2, 3]);
  await client.close();
});

it('sends frames with additional fields, raw text, and headers of the upgrade', async () => {
  const received: unknown[] = [];
  onConnection((socket, request) => {
    received.push(request.headers['authorization']);
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      socket.send('{"type":"done","payload":{}}');
    });
  });
  const client = await WebSocketClient.connect(url, { headers: { authorization: 'Bearer x' } });
  client.send('chat-message', { message: 'hi' }, { ref: '7' });
  await client.next('done');
  client.sendRaw('{not json');
  await client.next('done');
  expect(received).toEqual([
    'Bearer x',
    JSON.stringify({ ref: '7', type: 'chat-message', payload: { message: 'hi' } }),
    '{not json',
  ]);
  await client.close();
});

it('lists the received frames if the expected one does not arrive', async () => {
  onConnection((socket) => {
    socket.send(JSON.stringify({ type: 'error', payload: { code: 'forbidden' } }));
    socket.send('no json');
  });
  const client = await WebSocketClient.connect(url);
  await client.next('not-a-frame');
  await expect(client.next('status', 20)).rejects.toThrow(/"status" within 20 ms.*forbidden.*no json/s);
  await client.close();
});

it('rejects with the close code if the connection ends', async () => {
  onConnection((socket) => {
    socket.close(4003, 'too late');
  });
  const client = await WebSocketClient.connect(url);
  await expect(client.next('status')).rejects.toThrow('before the end (4003)');
  expect(await client.closed).toEqual({ code: 4003, reason: 'too late' });
});

it('rejects if the server rejects the connection', async () => {
  server.options.verifyClient = () => false;
  await expect(WebSocketClient.connect(url)).rejects.toThrow('401');
});
