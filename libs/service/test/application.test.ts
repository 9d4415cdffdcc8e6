import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
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

  @Get('lost')
  lost(): never {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' });
  }
}

describe('an application', () => {
  const lines: string[] = [];
  let app: NestFastifyApplication;
  let url: string;
  const readiness = new Readiness([{ name: 'database', check: () => Promise.resolve() }]);

  beforeAll(async () => {
    const metrics = createMetrics();
    @Module({ imports: [OperationsModule.forRoot({ readiness, metrics })], controllers: [GreetingsController] })
    class TestModule {}

    app = await createApplication(TestModule, {
      logger: createLogger('test', 'info', { write: (line) => lines.push(line) }),
      metrics,
      restErrors: { taken: 409, unavailable: 503 },
      corsOrigins: ['https://app.example'],
      trustedProxies: [],
      bodyLimitBytes: 1_024,
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());
  beforeEach(() => (lines.length = 0));

  const post = (body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    fetch(`${url}/greetings`, { method: 'POST', body, headers });

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
    'makes a request id of its own in place of %j',
    async (given) => {
      const response = await fetch(`${url}/taken`, { headers: { 'X-Request-Id': given } });
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('answers a bug opaquely and logs it whole', async () => {
    const response = await fetch(`${url}/bug`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ statusCode: 500, code: 'internal' });
    expect(text).not.toContain('secret detail');
    expect(lines.join()).toContain('secret detail of a bug');
  });

  it.each(['away', 'lost'])('answers what can be repeated with 503 and Retry-After: /%s', async (path) => {
    const response = await fetch(`${url}/${path}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('1');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' });
    expect(text).not.toMatch(/hunter2|10\.0\.0\.1/);
  });

  it('logs a dependency that is away once, not once a request', async () => {
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/away`)));
    expect(lines.length).toBeLessThanOrEqual(1);
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
  ])('refuses %s', async (_what, body, status, headers) => {
    const response = await post(body, headers);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(`"statusCode":${String(status)}`)]);
    expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
    expect({}).not.toHaveProperty('polluted');
    expect(lines).toEqual([]);
  });

  it('takes deep nesting calmly', async () => {
    const response = await post(`{"name":"x","address":${'['.repeat(400)}${']'.repeat(400)}}`);
    expect(response.status).toBe(400);
  });

  it.each(['/nowhere', '/%', '/greetings/%zz'])('answers %s in the shape of every error', async (path) => {
    const response = await fetch(url + path);
    expect([400, 404]).toContain(response.status);
    expect(await response.json()).toMatchObject({
      statusCode: response.status,
      code: expect.any(String),
      requestId: expect.any(String),
    });
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

  it('tells liveness, readiness and metrics', async () => {
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

  it('is not ready while draining, and says so with 503', async () => {
    readiness.startDraining();
    const response = await fetch(`${url}/health/ready`);
    expect([response.status, await response.json()]).toMatchObject([503, { ready: false, draining: true }]);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });
});
