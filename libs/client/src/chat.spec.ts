import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WebSocketServer, type WebSocket } from 'ws';
import { Session } from './api/session';
import { Chat } from './index';
import type { ChatOptions, TimeLimits } from './options';

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
/** The cursor that each connection resumes from. */
let resumes: unknown[];

/** Starts a service with one script for each connection, and creates its chat. */
async function chatWith(
  scripts: Script[],
  timeLimits: Partial<TimeLimits> = {},
  outbox: NonNullable<ChatOptions['outbox']> = {},
): Promise<void> {
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
  chat = new Chat({ session: new Session({ url: `http://127.0.0.1:${port}`, tokens }), backoff, timeLimits, outbox });
}

afterEach(async () => {
  await chat.close();
  server.close();
  await once(server, 'close');
  jest.restoreAllMocks();
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

it('emits nothing after it was closed while it connected, and does not connect again', async () => {
  await chatWith([
    (socket) => {
      void chat.close();
      // On its way before the service knows that the chat is closed.
      send(socket, status(), message(1, 'first'));
    },
  ]);
  const events: string[] = [];
  chat.on('connected', () => events.push('connected'));
  chat.on('chat-message', () => events.push('chat-message'));
  chat.on('ended', ({ reason }) => events.push(reason));
  await expect(chat.connect()).rejects.toMatchObject({ name: 'EndedError', reason: 'closed' });
  await chat.close();
  expect(events).toEqual(['closed']);
});

it('emits nothing after `ended` if a listener closes it as soon as it is connected again', async () => {
  await chatWith([
    (socket) => {
      send(socket, status());
      socket.close();
    },
    (socket) => {
      send(socket, status());
    },
  ]);
  const events: string[] = [];
  chat.on('state-lost', () => events.push('state-lost'));
  await chat.connect();
  const ended = new Promise<void>((resolve) => {
    chat.on('ended', () => {
      events.push('ended');
      resolve();
    });
  });
  chat.on('connected', () => void chat.close());
  await ended;
  await chat.close();
  expect(events).toEqual(['ended']);
});

it('rejects a connect after it was closed', async () => {
  await chatWith([
    (socket) => {
      send(socket, status());
    },
  ]);
  await chat.connect();
  await chat.close();
  await expect(chat.connect()).rejects.toMatchObject({ name: 'EndedError', reason: 'closed' });
});

it('closes while the user is asked to sign again', async () => {
  await chatWith([]);
  const expired = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
  await once(expired, 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, expired.address());
  const isAsked = new Promise<void>((resolve) => {
    const logInAgain = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    const session = new Session({ url: `http://127.0.0.1:${port}`, tokens: { ...tokens, expiresAtMs: 0 }, logInAgain });
    chat = new Chat({ session });
  });
  const connecting = expect(chat.connect()).rejects.toMatchObject({ name: 'EndedError', reason: 'closed' });
  await isAsked;
  await Promise.all([connecting, chat.close()]);
  expired.closeAllConnections();
  expired.close();
});

it('repeats a message although the clock was set back', async () => {
  const replies: ((ref: unknown) => object[])[] = [
    (ref) => [
      {
        type: 'error',
        ref,
        payload: { code: 'rate-limited', message: 'not now', request_type: 'chat-message', retry_after_ms: 20 },
      },
      message(1, 'first'),
    ],
    (ref) => [{ ...message(2, 'first'), ref }],
  ];
  await chatWith([
    (socket) => {
      send(socket, status());
      socket.on('message', (data: Buffer) => {
        const { ref }: { ref?: number } = JSON.parse(data.toString());
        send(socket, ...(replies.shift()?.(ref) ?? []));
      });
    },
  ]);
  const now = Date.now;
  // After the error, which is no event.
  chat.on('chat-message', () => jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000));
  await chat.connect();
  expect(await chat.send('c', 'number 2')).toMatchObject({ id: 'm2' });
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

/**
 * A service that replies to a message only when it was sent for the third time, with frames for the `ref`s of all
 * attempts.
 */
async function chatWithLateReplies(repliesOf: (refs: unknown[]) => object[]): Promise<string[]> {
  const script = (socket: WebSocket) => {
    send(socket, { type: 'status', payload: { authenticated: true, capabilities: ['sync', 'client-id'] } });
    const refs: unknown[] = [];
    socket.on('message', (data: Buffer) => {
      const { ref }: { ref?: number } = JSON.parse(data.toString());
      if (refs.push(ref) === 3) send(socket, ...repliesOf(refs));
    });
  };
  await chatWith([script], { responseMs: 20 });
  const events: string[] = [];
  chat.on('chat-message', ({ content }) => events.push(content));
  chat.on('error', ({ code }) => events.push(code));
  await chat.connect();
  const last = new Promise<void>((resolve) =>
    chat.on('chat-message', ({ id }) => {
      if (id === 'm3') resolve();
    }),
  );
  expect(await chat.send('c', 'number 2')).toMatchObject({ id: 'm2' });
  await last;
  return events;
}

it('delivers earlier entries after several early replies to a repeated message', async () => {
  const events = await chatWithLateReplies(([first, second, third]) => [
    { ...message(2, 'first'), ref: second },
    { ...message(2, 'first'), ref: third },
    message(1, 'first'),
    { ...message(2, 'first'), ref: first },
    message(3, 'first'),
  ]);
  expect(events).toEqual(['number 2', 'number 1', 'number 3']);
});

it('emits no error if only a repetition of a stored message has failed', async () => {
  const events = await chatWithLateReplies(([first, second]) => [
    { ...message(2, 'first'), ref: first },
    { type: 'error', ref: second, payload: { ...unavailable, request_type: 'chat-message' } },
    message(3, 'first'),
  ]);
  expect(events).toEqual(['number 2', 'number 3']);
});

it('rejects the promises of unsent messages, but none of an earlier run, which has no caller', async () => {
  const payload = { conversation_id: 'c', message: 'earlier' };
  const earlier = { clientId: 'earlier', queue: 'c', frame: { type: 'chat-message' as const, payload } };
  const store = { load: () => [earlier], put: () => undefined, remove: () => undefined };
  const script = (socket: WebSocket) => {
    send(socket, status());
  };
  await chatWith([script], {}, { store });
  await chat.connect();
  const sending = expect(chat.send('d', 'now')).rejects.toMatchObject({ name: 'EndedError', reason: 'closed' });
  expect(chat.outbox).toHaveLength(2);
  await chat.close();
  await sending;
  // Jest fails a test with an unhandled rejection, which Node reports at the end of a turn.
  await new Promise(setImmediate);
});

it('keeps nothing of messages that are stored', async () => {
  let stored = 0;
  await chatWith([
    (socket) => {
      send(socket, status());
      socket.on('message', (data: Buffer) => {
        const { ref }: { ref?: number } = JSON.parse(data.toString());
        stored += 1;
        send(socket, { ...message(stored, 'first'), ref });
      });
    },
  ]);
  await chat.connect();
  // The outbox holds at most 1,000.
  const sendMany = () => Promise.all(Array.from({ length: 900 }, (_, i) => chat.sendTo(`user${i}`, 'hello')));
  await sendMany();
  const beforeBytes = heapBytes();
  await sendMany();
  expect(heapBytes() - beforeBytes).toBeLessThan(700_000);
});

/** Size of what is left in memory after a garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
