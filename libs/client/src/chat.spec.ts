import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { Chat } from './node-chat';
import { Session } from './session';

const tokens = { account: 'alice', admin: false, accessToken: 'a', webSocketToken: 'w', refreshToken: 'r' };
const backoff = { firstMs: 1, maxMs: 10 };

const status = (cursor?: string) => ({
  type: 'status',
  payload: { authenticated: true, capabilities: ['sync'], cursor },
});
const message = (seq: number, cursor: string) => ({
  type: 'chat-message',
  stream: 'c',
  seq,
  cursor,
  payload: {
    id: `m${seq}`,
    conversation_id: 'c',
    from: 'bob',
    to: 'alice',
    content: `number ${seq}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    read: false,
  },
});
const unavailable = { code: 'unavailable', message: 'not now', request_type: 'authenticate', retry_after_ms: 1 };

/** What the service does on a connection after `authenticate`. */
type Script = (socket: WebSocket) => void;

const send = (socket: WebSocket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame));
};

let server: WebSocketServer;
let chat: Chat;
/** The cursor with which each connection resumes. */
let resumes: unknown[];

/** Starts a service with one script for each connection, and creates its chat. */
async function chatWith(scripts: Script[]): Promise<void> {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  resumes = [];
  server.on('connection', (socket) => {
    socket.once('message', (data: Buffer) => {
      const { payload }: { payload: { resume?: string } } = JSON.parse(data.toString());
      resumes.push(payload.resume);
      scripts.shift()?.(socket);
    });
  });
  const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, server.address());
  chat = new Chat({ session: new Session({ url: `http://127.0.0.1:${port}`, tokens }), backoff });
}

afterEach(async () => {
  await chat.close();
  server.close();
  await once(server, 'close');
});

it('resumes from its cursor until all missed messages have arrived, and delivers each once', async () => {
  await chatWith([
    (socket) => {
      send(socket, status('first'));
      socket.close(1012);
    },
    (socket) => {
      send(socket, status(), message(1, 'first'), { type: 'error', ref: 0, payload: unavailable });
    },
    (socket) => {
      send(socket, status(), message(1, 'first'), message(2, 'first'));
      socket.close(1013);
    },
    (socket) => {
      const complete = { type: 'resume-complete', payload: { cursor: 'second' } };
      send(socket, status(), message(1, 'first'), message(2, 'first'), message(3, 'first'), complete);
    },
  ]);
  const events: string[] = [];
  chat.on('chat-message', ({ content }) => events.push(content));
  chat.on('connected', () => events.push(chat.state));
  const resumed = new Promise((resolve) =>
    chat.on('resumed', () => {
      resolve(events.push('resumed'));
    }),
  );
  await chat.connect();
  await resumed;
  expect(resumes).toEqual([undefined, 'first', 'first', 'first']);
  expect(events).toEqual(['connected', 'number 1', 'number 2', 'number 3', 'connected', 'resumed']);
});

/** A service without idempotency keys that answers the first message with an error, and stores a repetition. */
async function chatWithError(code: string): Promise<void> {
  await chatWith([
    (socket) => {
      send(socket, status());
      const replies = [
        { type: 'error', payload: { code, message: 'not now', request_type: 'chat-message', retry_after_ms: 1 } },
        message(1, 'first'),
      ];
      socket.on('message', (data: Buffer) => {
        const { ref }: { ref?: number } = JSON.parse(data.toString());
        send(socket, { ...replies.shift(), ref });
      });
    },
  ]);
  await chat.connect();
}

it('does not repeat a message that could be stored twice', async () => {
  await chatWithError('unavailable');
  await expect(chat.send('c', 'once')).rejects.toMatchObject({ name: 'RejectedError', code: 'unavailable' });
});

it('repeats a message that was not stored', async () => {
  await chatWithError('rate-limited');
  expect(await chat.send('c', 'number 1')).toMatchObject({ id: 'm1' });
});
