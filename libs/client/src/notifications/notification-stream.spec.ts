import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type NotificationEvents, NotificationStream, type NotificationStreamOptions } from './notification-stream';

const item = { account: 'alice', id: 7, type: 'vote', score: 40, date: '2025-01-15T12:30:45', msg: 'hi', url: '@bob' };
const eventOf = (id: number) => `id: 0a1b2c3d-${id}\nevent: notification\ndata: ${JSON.stringify({ ...item, id })}\n\n`;

/** A gateway that handles each connection by the next handler. */
let server: Server;
let handlers: ((response: ServerResponse) => void)[];
let paths: string[];
let streams: NotificationStream[];

beforeEach(async () => {
  handlers = [];
  paths = [];
  streams = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    handlers.shift()?.(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const stream of streams) stream.close();
  server.closeAllConnections();
  server.close();
});

function open(options: Partial<NotificationStreamOptions> = {}) {
  const { port } = server.address() as AddressInfo;
  const backoff = { firstMs: 1, maxMs: 1, resetAfterMs: 10_000 };
  const stream = new NotificationStream({
    url: `http://127.0.0.1:${port}/`,
    accounts: ['alice', 'bob'],
    backoff,
    ...options,
  });
  streams.push(stream);
  const ids: number[] = [];
  stream.on('notification', ({ id }) => {
    ids.push(id);
    expect(stream.lastEventId).toBe(`0a1b2c3d-${id}`);
  });
  const next = (event: keyof NotificationEvents) =>
    new Promise<unknown>((resolve) => {
      const remove = stream.on(event, (payload) => {
        remove();
        resolve(payload);
      });
    });
  return { stream, ids, next };
}

const sending =
  (text: string, ends = false) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (ends) response.end();
  };

it('continues after the last event on a new connection', async () => {
  handlers = [sending(`retry: 1\n\n${eventOf(1)}${eventOf(2)}`, true), sending(eventOf(3))];
  const { stream, ids, next } = open({ types: ['vote'] });
  const disconnected = next('disconnected');
  stream.start();
  expect(await disconnected).toMatchObject({ retryInMs: 1 });
  await next('notification');
  expect(ids).toEqual([1, 2, 3]);
  expect(paths).toEqual([
    '/events?accounts=alice,bob&types=vote',
    '/events?accounts=alice,bob&types=vote&last_event_id=0a1b2c3d-2',
  ]);
});

it('uses the id of a block without data, and reports a reset', async () => {
  handlers = [sending(':\nid: a-1\n\nid: a-2\nevent: reset\ndata: {"reason":"expired"}\n\n')];
  const { stream, next } = open({ lastEventId: 'b-9' });
  const reset = next('reset');
  stream.start();
  expect(await reset).toEqual({ reason: 'expired' });
  expect(stream.lastEventId).toBe('a-2');
  expect(paths).toEqual(['/events?accounts=alice,bob&last_event_id=b-9']);
});

it('retries after 429 and 503, and gives up after 400', async () => {
  const answer = (status: number) => (response: ServerResponse) =>
    response
      .writeHead(status, { 'retry-after': '0' })
      .end('{"code":"invalid-request","message":"accounts: is required"}');
  handlers = [answer(429), answer(503), answer(400)];
  const { stream, next } = open();
  const ended = next('ended');
  stream.start();
  expect(await ended).toMatchObject({ error: { code: 'invalid-request', status: 400 } });
  expect(paths).toHaveLength(3);
});

it('doubles its pauses while attempts fail, however long they take', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(1);
  const failLater = (response: ServerResponse) => {
    setTimeout(() => response.writeHead(503).end(), 20);
  };
  handlers = [failLater, failLater, failLater];
  const { stream } = open({ backoff: { firstMs: 1, maxMs: 100, resetAfterMs: 10 } });
  const pauses: number[] = [];
  stream.on('disconnected', ({ retryInMs }) => pauses.push(retryInMs));
  stream.start();
  while (pauses.length < 3) await new Promise((resolve) => stream.on('disconnected', resolve));
  expect(pauses).toEqual([1, 2, 4]);
});

it('replaces a silent connection', async () => {
  handlers = [sending(eventOf(1)), sending(eventOf(2))];
  // Longer than a busy machine takes to connect.
  const { stream, ids, next } = open({ silenceMs: 1_000 });
  const disconnected = next('disconnected');
  stream.start();
  expect(await disconnected).toMatchObject({ error: { name: 'UnreachableError' } });
  await next('notification');
  expect(ids).toEqual([1, 2]);
});

it('replaces the connection immediately on retryNow, and ends on close', async () => {
  handlers = [sending(eventOf(1)), sending(eventOf(2))];
  const { stream, ids, next } = open({ backoff: { firstMs: 1e9, maxMs: 1e9, resetAfterMs: 1e9 } });
  const first = next('notification');
  stream.start();
  await first;
  const second = next('notification');
  stream.retryNow();
  await second;
  expect(ids).toEqual([1, 2]);
  const ended = next('ended');
  stream.close();
  expect(await ended).toEqual({ error: undefined });
});
