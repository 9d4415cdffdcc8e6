import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import {
  type CollectedSpan,
  type RedisServer,
  spanKinds,
  startRedis,
  type TestDatabase,
  TraceCollector,
} from '@waggle/testing';
import { authPath, bearer, loginBody, loginPath } from '../support/video-auth-client';
import { VideoAuthProcess } from '../support/video-auth-process';
import { freshDatabase } from '../support/video-auth-under-test';

const main = path.join(__dirname, '../../dist/main.js');
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let redis: RedisServer;
  let collector: TraceCollector;
  let service: VideoAuthProcess;
  const lines: string[] = [];
  beforeAll(async () => {
    devnet = await Devnet.start();
    database = await freshDatabase();
    redis = await startRedis();
    collector = await TraceCollector.start();
    service = await VideoAuthProcess.start(
      {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        HIVE_API_NODES: devnet.url,
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        // Export delay in milliseconds.
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
      (line) => lines.push(line),
    );
  });
  afterAll(async () => {
    await service.process.stop();
    await collector.stop();
    await redis.stop();
    await devnet.stop();
    await database.drop();
  });

  const childrenOf = (parent: CollectedSpan) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);

  it('each request has a span, with child spans for its calls to the database, Redis and the chain', async () => {
    await service.logIn('alice');
    const server = await collector.next(({ name }) => name === `POST ${loginPath}`);
    expect(server).toMatchObject({
      kind: spanKinds.server,
      service: 'video-auth',
      attributes: { 'http.route': loginPath, 'http.response.status_code': 201 },
    });
    expect(server.parentSpanId).toBeUndefined();
    const libraries = new Set(
      childrenOf(server).map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')),
    );
    expect([...libraries].sort()).toEqual(['ioredis', 'pg', 'undici']);
    for (const child of childrenOf(server))
      expect(child).toMatchObject({ kind: spanKinds.client, traceId: server.traceId });
    const insert = childrenOf(server).find(({ attributes }) => /insert/i.test(String(attributes['db.query.text'])));
    expect(insert?.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
  });

  it('each request starts its own trace regardless of traceparent, and its log line has the trace id', async () => {
    const token = await service.logIn('bob');
    const checks = new Set<CollectedSpan>();
    for (const sampled of ['01', '00']) {
      const traceparent = `00-${traceId}-${callersSpan}-${sampled}`;
      await service.post(`${authPath}/check`, undefined, { ...bearer(token), traceparent });
      const server = await collector.next((span) => span.name === `POST ${authPath}/check` && !checks.has(span));
      checks.add(server);
      expect(server.traceId).not.toBe(traceId);
      expect(server.parentSpanId).toBeUndefined();
      expect(childrenOf(server).map(({ scope }) => scope)).toContain('@opentelemetry/instrumentation-pg');
      const line = lines.find((one) => one.includes('"msg":"request"') && one.includes(server.traceId));
      expect(line).toContain(`"spanId":"${server.spanId}"`);
    }
  });

  it('spans have no secret, name or address, and health checks and metrics have no spans', async () => {
    const body = loginBody('carol');
    const token = await service.logIn('carol', body, { 'User-Agent': 'an-agent/1.0' });
    await service.get(`${authPath}/sessions?token=${token}`, bearer(token));
    await service.get('/health/ready');
    await service.get('/metrics');
    await collector.next(({ name }) => name === `GET ${authPath}/sessions`);
    const sent = collector.bodies.join('\n');
    for (const text of [body.proof, token, 'carol', 'an-agent', '?token', '/health', '/metrics', 'network.peer'])
      expect([text, sent.includes(text)]).toEqual([text, false]);
  });

  it('it continues the trace of the caller if OTEL_PROPAGATORS is set, and flushes spans on exit', async () => {
    const last = await VideoAuthProcess.start({
      DATABASE_URL: database.url,
      HIVE_API_NODES: devnet.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'another-name',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_PROPAGATORS: 'tracecontext,baggage',
    });
    const request = (sampled: string) =>
      last.get(`${authPath}/sessions`, { traceparent: `00-${traceId}-${callersSpan}-${sampled}` });
    await request('01');
    await request('00');
    expect(await last.process.stop()).toEqual({ code: 0, signal: null });
    const servers = collector.spans.filter(
      ({ service: name, kind }) => name === 'another-name' && kind === spanKinds.server,
    );
    expect(servers).toMatchObject([{ traceId, parentSpanId: callersSpan }]);
  });
});

it('without it only the OpenTelemetry API is loaded, by the metrics library', () => {
  const script = `
    process.argv[1] = ${JSON.stringify(main)};
    require('@waggle/service');
    const packages = Object.keys(require.cache).map((file) => /@opentelemetry.([a-z-]+)/.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(packages)].filter((name) => name !== undefined)));`;
  const env = { PATH: process.env['PATH'] };
  const loaded = execFileSync(process.execPath, ['-e', script], { cwd: path.dirname(main), env, encoding: 'utf8' });
  expect(JSON.parse(loaded)).toEqual(['api']);
});
