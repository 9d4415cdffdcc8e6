import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '@waggle/testing';
import { Pool } from 'undici';
import { Cancellation } from '../cancellation';
import {
  type ByteBudget,
  CancelledError,
  isSuccess,
  OverBudgetError,
  RequestTimeoutError,
  sendRequest,
} from './http-request';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const okay: Handle = (_request, response) => response.end('{}');
const request = { method: 'POST', path: '/', headers: {}, body: '{}', readsBody: isSuccess } as const;

let server: Server;
let pool: Pool;
let handle: Handle;
let connections = 0;
/** Number of posts that the pool still holds. */
let held = 0;

const send = (cancellation = new Cancellation(), budget?: ByteBudget, timeoutMs?: number) => {
  held += 1;
  return sendRequest(pool, { ...request, budget, timeoutMs }, cancellation, () => (held -= 1));
};

/** Resolves when the server receives a post; the test then responds to it. */
const nextPost = () =>
  new Promise<ServerResponse>((resolve) => {
    handle = (_request, response) => {
      handle = okay;
      resolve(response);
    };
  });

beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    incoming.resume().on('end', () => {
      handle(incoming, response);
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  handle = okay;
  connections = 0;
  held = 0;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1, pipelining: 1 });
});
afterEach(() => pool.destroy());
afterAll(async () => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

it('returns the status, and the body only of a success', async () => {
  handle = (_request, response) => response.writeHead(201).end('{"a":1}');
  expect(await send()).toEqual({ status: 201, body: Buffer.from('{"a":1}') });
  handle = (_request, response) => response.writeHead(502).end('<html>');
  expect(await send()).toEqual({ status: 502, body: Buffer.alloc(0) });
  expect([connections, held]).toEqual([1, 0]);
});

it('is aborted at once while waiting for a connection, sends nothing, and leaves the connection open', async () => {
  const taken = nextPost();
  const first = send();
  const response = await taken;
  const cancellation = new Cancellation();
  const waiting = send(cancellation);
  const behind = send();
  cancellation.cancel('superseded');
  await expect(waiting).rejects.toBeInstanceOf(CancelledError);
  expect(held).toBe(3);
  let posts = 0;
  handle = (incoming, response) => {
    posts += 1;
    okay(incoming, response);
  };
  response.end('{}');
  expect(await Promise.all([first, behind])).toHaveLength(2);
  expect([posts, connections, held]).toEqual([1, 1, 0]);
});

it('closes the connection when it is aborted while waiting for headers', async () => {
  const taken = nextPost();
  const cancellation = new Cancellation();
  const broken = expect(send(cancellation)).rejects.toBeInstanceOf(CancelledError);
  const closed = once(await taken, 'close');
  cancellation.cancel('superseded');
  await Promise.all([broken, closed]);
  expect(held).toBe(0);
  expect(await send()).toEqual({ status: 200, body: Buffer.from('{}') });
  expect(connections).toBe(2);
});

it('closes the connection when it is aborted during the body', async () => {
  const taken = nextPost();
  const cancellation = new Cancellation();
  const broken = expect(send(cancellation)).rejects.toBeInstanceOf(CancelledError);
  const response = await taken;
  const closed = once(response, 'close');
  const begun = new Promise<void>((resolve) => {
    const listen = () => {
      unsubscribe('undici:request:bodyChunkReceived', listen);
      resolve();
    };
    subscribe('undici:request:bodyChunkReceived', listen);
  });
  response.writeHead(200, { 'content-length': '100' }).write('{"a":');
  await begun;
  cancellation.cancel('superseded');
  await Promise.all([broken, closed]);
  expect(held).toBe(0);
  expect(await send()).toEqual({ status: 200, body: Buffer.from('{}') });
});

it('is not sent if it is aborted before it begins', async () => {
  const cancellation = new Cancellation();
  cancellation.cancel('superseded');
  handle = () => {
    throw new Error('it was sent');
  };
  await expect(send(cancellation)).rejects.toBeInstanceOf(CancelledError);
  handle = okay;
  await send();
  expect(held).toBe(0);
});

it('keeps its connection for reuse if it is aborted after it ended', async () => {
  const cancellation = new Cancellation();
  await send(cancellation);
  cancellation.cancel('superseded');
  await send();
  expect(connections).toBe(1);
});

it('takes its bytes from the budget, and releases them if the budget is exceeded', async () => {
  let left = 25;
  const budget: ByteBudget = {
    take: (bytes) => bytes <= left && (left -= bytes) >= 0,
    giveBack: (bytes) => void (left += bytes),
  };
  handle = (_request, response) => response.end('x'.repeat(10));
  await send(new Cancellation(), budget);
  handle = (_request, response) => {
    response.write('x'.repeat(10));
    setImmediate(() => response.end('x'.repeat(10)));
  };
  await expect(send(new Cancellation(), budget)).rejects.toBeInstanceOf(OverBudgetError);
  expect([held, left]).toEqual([0, 15]);
});

it('times out while queued, and sends nothing', async () => {
  const taken = nextPost();
  const first = send();
  const response = await taken;
  await expect(send(new Cancellation(), undefined, 50)).rejects.toBeInstanceOf(RequestTimeoutError);
  response.end('{}');
  await first;
  // The pool drops a request that timed out in its queue before it sends the next one.
  await send();
  expect([connections, held]).toEqual([1, 0]);
});

it('times out while it waits for the response, and closes the connection', async () => {
  const taken = nextPost();
  const sent = expect(send(new Cancellation(), undefined, 500)).rejects.toBeInstanceOf(RequestTimeoutError);
  await Promise.all([sent, once(await taken, 'close')]);
  await send();
  expect([connections, held]).toEqual([2, 0]);
});

it('needs little more memory than the bytes of a body that arrives one byte at a time', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const bytes = 1024 * 1024;
  let received = 0;
  const budget: ByteBudget = {
    take: () => {
      received += 1;
      return true;
    },
    giveBack: () => undefined,
  };
  let response: ServerResponse | undefined;
  handle = (_request, begun) => {
    response = begun;
    begun.flushHeaders();
    begun.socket?.write(Buffer.from('1\r\nx\r\n'.repeat(bytes)));
  };
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  const sent = send(new Cancellation(), budget);
  await until(() => received === bytes);
  collectGarbage();
  const heapGrowth = process.memoryUsage().heapUsed - heapBefore;
  response?.end();
  const { body } = await sent;
  expect(heapGrowth).toBeLessThan(8 * bytes);
  expect(body.equals(Buffer.alloc(bytes, 'x'))).toBe(true);
});
