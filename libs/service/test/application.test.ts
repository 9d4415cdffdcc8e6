import { once } from 'node:events';
import { type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Body, Controller, Get, Module, Param, Post, Res } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyReply } from 'fastify';
import { until } from '@waggle/testing';
import { z } from 'zod';
import {
  createApplication,
  createLogger,
  createMetrics,
  OperationsModule,
  Readiness,
  ServiceError,
  unavailable,
} from '../src';

const greeting = z.object({ name: z.string(), address: z.object({ street: z.string() }).optional() });

@Controller()
class GreetingsController {
  @Post('greetings')
  greet(@Body({ schema: greeting }) body: z.infer<typeof greeting>) {
    return body;
  }

  @Get('greetings/of/:name')
  greetingOf(@Param('name') name: string) {
    return { name };
  }

  @Get('endless')
  endless(@Res() reply: FastifyReply) {
    reply.hijack();
    reply.raw.writeHead(200).write('begun');
  }

  @Get('changing')
  changing(): never {
    throw new Error('it was changed');
  }

  @Get('unauthenticated')
  unauthenticated(): never {
    throw new ServiceError('unauthenticated', 'who are you');
  }

  @Get('taken')
  taken(): never {
    throw new ServiceError('taken', 'this one is taken');
  }

  @Get('away')
  away(): never {
    throw unavailable('The database', new Error('password is hunter2'));
  }

  @Get('bug')
  bug(): never {
    throw new Error('secret detail of a bug');
  }

  @Get('flood/:n')
  flood(@Param('n') n: string): never {
    throw new Error(`flood ${n}`);
  }

  @Get('other-flood')
  otherFlood(): never {
    throw new Error('other flood');
  }

  @Get('lost')
  lost(): never {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' });
  }
}

/** Listens on a free port; what it logs goes to `lines`. */
async function greetings(
  readiness: Readiness,
  lines: string[],
  options: Partial<Parameters<typeof createApplication>[1]> = {},
): Promise<NestFastifyApplication> {
  const metrics = createMetrics();
  @Module({ imports: [OperationsModule.forRoot({ readiness, metrics })], controllers: [GreetingsController] })
  class TestModule {}

  const app = await createApplication(TestModule, {
    logger: createLogger('test', 'info', { write: (line) => lines.push(line) }),
    metrics,
    restErrors: { unauthenticated: 401, taken: 409, unavailable: 503 },
    corsOrigins: ['https://app.example'],
    trustedProxies: [],
    bodyLimitBytes: 1_024,
    unsafeGets: ['/changing'],
    mountedRoutes: [{ method: 'POST', url: '/mounted' }],
    ...options,
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

it('does not start with an unsafe GET route that does not exist', async () => {
  const unsafeGets = ['/changing', '/moved'];
  const starting = greetings(new Readiness([]), [], { unsafeGets });
  await expect(starting).rejects.toThrow('there is no GET route /moved');
});

it('needs little more memory than the bytes of bodies that arrive one byte at a time', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const bytes = 64 * 1024;
  const app = await greetings(new Readiness([]), [], { bodyLimitBytes: bytes });
  const server: Server = app.getHttpServer();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1').setEncoding('utf8');
  try {
    const [socket] = await accepted;
    collectGarbage();
    const heapBefore = process.memoryUsage().heapUsed;
    const body = '{"name":"alice"}'.padEnd(bytes);
    const head = 'POST /greetings HTTP/1.1\r\nHost: waggle\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const text = `${head}Transfer-Encoding: chunked\r\n\r\n${body.replaceAll(/./gs, '1\r\n$&\r\n')}`;
    client.write(text);
    await until(() => socket.bytesRead === text.length);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(4 * 1024 * 1024);
    client.write('0\r\n\r\n');
    expect(await readAll(client)).toContain('{"name":"alice"}');
  } finally {
    client.destroy();
    await app.close();
  }
});

/** A limit against hanging, not a measure. */
const responseLimitMs = 20_000;

/** Sends a text over a bare connection and reads until the server closes it. */
async function exchange(url: string, text: string): Promise<{ head: string; body: string }> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true });
  // Otherwise a server that never responds would keep this connection, and the whole run, open.
  socket.setTimeout(responseLimitMs, () => socket.destroy(new Error('no response')));
  socket.write(text);
  const response = await readAll(socket);
  socket.destroy();
  const [head = '', body = ''] = response.split('\r\n\r\n');
  return { head, body };
}

describe('an application', () => {
  const lines: string[] = [];
  let app: NestFastifyApplication;
  let url: string;
  const readiness = new Readiness([{ name: 'database', check: () => Promise.resolve() }]);

  beforeAll(async () => {
    app = await greetings(readiness, lines);
    url = await app.getUrl();
  });

  afterAll(() => app.close());
  beforeEach(() => (lines.length = 0));

  const post = (body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    fetch(`${url}/greetings`, { method: 'POST', body, headers });

  it.each(['/health/live', '/health/ready', '/metrics', '/greetings/of/bob', '/greetings/of/bob/'])(
    'serves HEAD of %s like GET, without a body',
    async (path) => {
      const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(url + path, { method })));
      expect([head?.status, await head?.text()]).toEqual([200, '']);
      for (const name of ['content-type', 'cache-control'])
        expect(head?.headers.get(name)).toBe(get?.headers.get(name));
      if (path.startsWith('/greetings'))
        expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    },
  );

  it.each([
    ['POST', '/health/live', 'GET, HEAD'],
    ['DELETE', '/greetings', 'POST'],
    ['GET', '/greetings', 'POST'],
    ['PUT', '/greetings/of/bob?x=1', 'GET, HEAD'],
    ['HEAD', '/changing', 'GET'],
    ['GET', '/mounted', 'POST'],
  ])('rejects %s %s with 405 and the methods of the path', async (method, path, allow) => {
    const response = await fetch(url + path, { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
    if (method !== 'HEAD')
      expect(await response.json()).toMatchObject({ code: 'method-not-allowed', requestId: expect.any(String) });
  });

  it.each(['/nowhere', '/greetings/of', '/greetings/of/bob/more', '/greetingsXof/bob'])(
    'has no %s, by any method',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await fetch(url + path, { method });
        expect([response.status, response.headers.get('Allow')]).toEqual([404, null]);
      }
    },
  );

  it('returns the accepted scheme with 401', async () => {
    const response = await fetch(`${url}/unauthenticated`);
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
  });

  it('maps an error to its status, code and request id', async () => {
    const response = await fetch(`${url}/taken`, { headers: { 'X-Request-Id': 'my-request-1' } });
    expect(response.status).toBe(409);
    expect(response.headers.get('X-Request-Id')).toBe('my-request-1');
    expect(await response.json()).toEqual({
      statusCode: 409,
      error: 'Conflict',
      code: 'taken',
      message: 'this one is taken',
      requestId: 'my-request-1',
    });
  });

  it.each([['a\u0007b'.replace('\u0007', '\t')], ['x'.repeat(129)], ['a b'], ['<script>']])(
    'creates its own request id instead of %j',
    async (given) => {
      const response = await fetch(`${url}/taken`, { headers: { 'X-Request-Id': given } });
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('hides an unexpected error from clients and logs it in full', async () => {
    const response = await fetch(`${url}/bug`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ statusCode: 500, code: 'internal' });
    expect(text).not.toContain('secret detail');
    expect(lines.join()).toContain('secret detail of a bug');
  });

  it.each(['away', 'lost'])('maps temporary errors to 503 with Retry-After: /%s', async (path) => {
    const response = await fetch(`${url}/${path}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('1');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' });
    expect(text).not.toMatch(/hunter2|10\.0\.0\.1/);
  });

  it('logs an unavailable dependency once, not once per request', async () => {
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/away`)));
    expect(lines.length).toBeLessThanOrEqual(1);
  });

  it('logs repeated unexpected errors once per route, with the fields that identify the request', async () => {
    await fetch(`${url}/flood/0`, { headers: { 'X-Request-Id': 'first' } });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => (await fetch(`${url}/flood/${n + 1}`)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([500]));
    await fetch(`${url}/other-flood`, { headers: { 'X-Request-Id': 'second' } });
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { level: 'error', requestId: 'first', method: 'GET', route: '/flood/:n', err: { message: 'flood 0' } },
      { level: 'error', requestId: 'second', method: 'GET', route: '/other-flood', err: { message: 'other flood' } },
    ]);
  });

  it('names the field of the wrong type and ignores fields that it does not know', async () => {
    const good = await post(JSON.stringify({ name: 'x', unknown: 1 }));
    expect(await good.json()).toEqual({ name: 'x' });
    const bad = await post(JSON.stringify({ name: 'x', address: { street: 5 } }));
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('address.street'),
    });
  });

  it.each([
    ['malformed JSON', '{"name":', 400, undefined],
    ['a body of an unknown type', '<a/>', 415, { 'Content-Type': 'application/xml' }],
    ['no JSON at all', 'hello', 400, undefined],
    ['an empty body', '', 400, undefined],
    ['a prototype key', '{"__proto__":{"polluted":true},"name":"x"}', 400, undefined],
    ['a constructor key', '{"constructor":{"prototype":{"polluted":true}},"name":"x"}', 400, undefined],
    ['a text body', 'hello', 400, { 'Content-Type': 'text/plain' }],
    ['a body over the limit', JSON.stringify({ name: 'x'.repeat(2_000) }), 413, undefined],
  ])('rejects %s', async (_what, body, status, headers) => {
    const response = await post(body, headers);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(`"statusCode":${String(status)}`)]);
    expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
    expect({}).not.toHaveProperty('polluted');
    expect(lines).toEqual([]);
  });

  it('rejects a chunked body as soon as it is over the limit, and continues', async () => {
    const head = 'POST /greetings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const chunk = `200\r\n${' '.repeat(0x200)}\r\n`;
    const response = await exchange(url, `${head}\r\n\r\n${chunk.repeat(3)}`);
    expect([response.head.split('\r\n')[0], JSON.parse(response.body)]).toEqual([
      'HTTP/1.1 413 Payload Too Large',
      expect.objectContaining({ statusCode: 413 }),
    ]);
    expect((await post('{"name":"alice"}')).status).toBe(201);
  });

  it('reads no body that no handler needs', async () => {
    const requested = once(app.getHttpServer(), 'request') as Promise<[IncomingMessage]>;
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    const body = 'x'.repeat(1_000_000);
    client.write(`GET /endless HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [request] = await requested;
    try {
      await until(() => request.readableLength >= request.readableHighWaterMark);
    } finally {
      client.destroy();
      // Node does not read from the connection, so that it does not notice the end.
      request.socket.destroy();
    }
  });

  it('does not report an aborted upload as an internal error, and continues', async () => {
    const debugLines: string[] = [];
    const logger = createLogger('test', 'debug', { write: (line) => debugLines.push(line) });
    const other = await greetings(readiness, [], { logger });
    try {
      const client = connect({ host: '127.0.0.1', port: Number(new URL(await other.getUrl()).port) });
      client.write(
        'POST /greetings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
      );
      // Once the head is read, the server waits for the rest of the body.
      const request = await new Promise<IncomingMessage>((resolve) => other.getHttpServer().once('request', resolve));
      const isOver = new Promise((resolve) => request.once('close', resolve));
      client.resetAndDestroy();
      await isOver;
      expect((await fetch(`${await other.getUrl()}/health/live`)).status).toBe(200);
      expect(debugLines.filter((line) => !line.includes('"level":"debug"'))).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('explains that a body sent as text must be sent as JSON', async () => {
    const response = await post('{"name": "x"}', { 'Content-Type': 'text/plain' });
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('Content-Type: application/json') });
  });

  it('survives deep nesting', async () => {
    const response = await post(`{"name":"x","address":${'['.repeat(400)}${']'.repeat(400)}}`);
    expect(response.status).toBe(400);
  });

  it.each(['/nowhere', '/%', '/greetings/%zz'])('responds to %s with the common error body', async (path) => {
    const response = await fetch(url + path);
    expect([400, 404]).toContain(response.status);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({
      statusCode: response.status,
      code: expect.any(String),
      requestId: response.headers.get('X-Request-Id') ?? 'none',
    });
  });

  it.each([
    ['no HTTP at all', 'EHLO mail.example\r\n\r\n', 400, 'Bad Request', 'invalid-request'],
    [
      'headers that are too large',
      `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
      'too-large',
    ],
  ])('rejects %s with the common error body and closes', async (_what, text, statusCode, error, code) => {
    const { head, body } = await exchange(url, text);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} ${error}\r\n`));
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toEqual({
      statusCode,
      error,
      code,
      message: expect.any(String),
      requestId: /^X-Request-Id: ([0-9a-f-]{36})$/m.exec(head)?.[1] ?? 'none',
    });
    expect(lines).toEqual([]);
  });

  it('writes no error into a response that has started', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.setTimeout(responseLimitMs, () => socket.destroy(new Error('not closed')));
    socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
    let received = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      received += String(chunk);
      if (received.includes('begun')) socket.write('EHLO mail.example\r\n\r\n');
    }
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  it('echoes an allowed origin exactly, and no other', async () => {
    const preflight = (origin: string) =>
      fetch(`${url}/greetings`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight('https://app.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
    expect(allowed.headers.get('Access-Control-Allow-Credentials')).toBe('true');
    const stranger = await preflight('https://stranger.example');
    expect(stranger.headers.get('Access-Control-Allow-Origin')).not.toBe('https://stranger.example');
    expect(stranger.headers.get('Access-Control-Allow-Origin')).not.toBe('*');
  });

  it('sends protective headers', async () => {
    const { headers } = await fetch(`${url}/health/live`);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  });

  it('serves liveness, readiness and metrics', async () => {
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, draining: false, checks: { database: 'up' } },
    ]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}');
    expect(metrics).not.toContain('nowhere');
  });

  it('is not ready while draining', async () => {
    readiness.startDraining();
    const response = await fetch(`${url}/health/ready`);
    expect([response.status, await response.json()]).toMatchObject([503, { ready: false, draining: true }]);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });
});

describe('an application with a short request timeout', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await greetings(new Readiness([]), [], { requestTimeoutMs: 200 });
  });
  afterAll(() => app.close());

  it.each([
    ['headers', 'GET /health/live HTTP/1.1\r\nHost: x\r\n'],
    ['a body', 'POST /greetings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
  ])('ends a request whose client never finishes %s', async (_what, text) => {
    const { head, body } = await exchange(await app.getUrl(), text);
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(body)).toEqual({
      statusCode: 408,
      error: 'Request Timeout',
      code: 'timeout',
      message: expect.any(String),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

describe('an application with a custom error body', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await greetings(new Readiness([]), [], { errorBody: (body) => ({ ...body, reason: body.message }) });
  });
  afterAll(() => app.close());

  it.each([
    ['a rule rejects', 'GET /taken HTTP/1.1', 'taken'],
    ['there is no route', 'GET /nowhere HTTP/1.1', 'not-found'],
    ['the URL cannot be decoded', 'GET /% HTTP/1.1', 'invalid-request'],
    ['it is no HTTP', 'no HTTP', 'invalid-request'],
    ['an unexpected error is thrown', 'GET /bug HTTP/1.1', 'internal'],
  ])('uses it if %s', async (_what, line, code) => {
    const { body } = await exchange(await app.getUrl(), `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(JSON.parse(body)).toEqual({
      statusCode: expect.any(Number),
      error: expect.any(String),
      code,
      message: expect.any(String),
      requestId: expect.any(String),
      reason: expect.any(String),
    });
  });
});
