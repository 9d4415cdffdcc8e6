import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { text as readAll } from 'node:stream/consumers';
import { Controller, Get, Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GuardedProcess, until } from '@waggle/testing';
import { createApplication, createLogger, createMetrics, OperationsModule, Readiness } from '../src';
import { OpenConnections } from '../src/http/open-connections';
import { drain } from '../src/startup/serve';

/** Responds when the test resolves it. */
const slow = { requests: 0, respond: () => {} };

@Controller('slow')
class SlowController {
  @Get()
  async get(): Promise<string> {
    slow.requests += 1;
    await new Promise<void>((resolve) => {
      slow.respond = resolve;
    });
    return 'at last';
  }
}

/** A listening service, and the arguments of its drain; `lines` are its log. */
async function start() {
  const readiness = new Readiness([]);
  const metrics = createMetrics();
  const lines: string[] = [];
  const logger = createLogger('test', 'warn', { write: (line) => lines.push(line) });

  @Module({ imports: [OperationsModule.forRoot({ readiness, metrics })], controllers: [SlowController] })
  class TestModule {}

  const app: NestFastifyApplication = await createApplication(TestModule, {
    logger,
    metrics,
    restErrors: {},
    corsOrigins: [],
    trustedProxies: [],
  });
  const connections = new OpenConnections(app.getHttpServer());
  await app.listen(0, '127.0.0.1');
  const drained = (delay: () => Promise<void>, drainLimitMs = 60_000) =>
    drain(app, connections, { logger, readiness, drainLimitMs }, delay);
  return { url: await app.getUrl(), connections, lines, drained };
}

/** A client with one keep-alive connection, and what it observed. */
interface Client {
  responses: number;
  /** `close` after `Connection: close`, or the error of a request. */
  end: string;
}

async function responseOf(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
}

/** Sends requests in sequence over one connection, until a response closes it. */
async function sendRequests(url: string, betweenMs: number, client: Client): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (client.end === '') {
    try {
      const response = await responseOf(`${url}/health/live`, agent);
      await readAll(response);
      client.responses += 1;
      if (response.headers.connection === 'close') client.end = 'close';
    } catch (error) {
      client.end = String(error);
    }
    await pause(betweenMs);
  }
  agent.destroy();
}

it('announces the close of every connection in advance, and loses no request', async () => {
  const { url, drained } = await start();
  const clients = Array.from({ length: 40 }, (): Client => ({ responses: 0, end: '' }));
  // Some send requests without a pause, others rarely.
  const sending = Promise.all(clients.map((client, index) => sendRequests(url, index * 5, client)));
  await until(() => clients.every(({ responses }) => responses > 1));
  expect(clients.map(({ end }) => end).filter((end) => end !== '')).toEqual([]);

  const draining = drained(async () => {
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, draining: true }]);
    // All connections were announced as closing.
    await sending;
  });
  expect(await draining).toBe(0);
  expect(clients.map(({ end }) => end)).toEqual(clients.map(() => 'close'));
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
});

it('announces the close with pending responses, and waits for them', async () => {
  const { url, drained, lines } = await start();
  const agent = new Agent({ keepAlive: true });
  const before = slow.requests;
  const sending = responseOf(`${url}/slow`, agent);
  await until(() => slow.requests > before);
  const draining = drained(async () => {});
  slow.respond();
  const response = await sending;
  expect([response.headers.connection, await readAll(response)]).toEqual(['close', 'at last']);
  expect(await draining).toBe(0);
  expect(lines).toEqual([]);
  agent.destroy();
});

it('aborts requests that take too long, and logs it', async () => {
  const { url, drained, lines } = await start();
  const agent = new Agent({ keepAlive: true });
  const before = slow.requests;
  const sending = expect(responseOf(`${url}/slow`, agent)).rejects.toThrow('socket hang up');
  await until(() => slow.requests > before);
  expect(await drained(async () => {}, 2_050)).toBe(1);
  await sending;
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 'warn', connections: 1 }]);
  slow.respond();
  agent.destroy();
});

it('exits with code 1 if it aborted a request', async () => {
  const service = await GuardedProcess.start(process.execPath, [path.join(__dirname, 'slow-service.cjs')], {
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
  const untilLogged = (text: string) =>
    until(() => service.lastLines.some((line) => line.includes(text)), { actual: () => service.lastLines });
  await untilLogged('"msg":"listening"');
  const url = urlOf(service);
  const sending = expect(responseOf(`${url}/slow`, new Agent())).rejects.toThrow('socket hang up');
  await untilLogged('"msg":"request received"');
  expect(await service.stop()).toEqual({ code: 1, signal: null });
  await sending;
  expect(service.lastLines.join('\n')).toContain('closed before their responses were sent');
});

it('exits at once at a second Ctrl-C', async () => {
  const service = await GuardedProcess.start(process.execPath, [path.join(__dirname, 'slow-service.cjs')], {
    env: { ...process.env, DRAIN_LIMIT_MS: '60000' },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
  await until(() => urlOf(service) !== '', { actual: () => service.lastLines });
  const sending = expect(responseOf(`${urlOf(service)}/slow`, new Agent())).rejects.toThrow('socket hang up');
  await until(() => service.lastLines.some((line) => line.includes('"msg":"request received"')));
  // Signals of the first second count as the first Ctrl-C.
  await until(() => service.endedWith !== undefined || !process.kill(service.pid, 'SIGINT'), { limitMs: 20_000 });
  expect(service.endedWith).toEqual({ code: 130, signal: null });
  await sending;
});

const urlOf = (service: GuardedProcess) => /"url":"([^"]+)"/.exec(service.lastLines.join('\n'))?.[1] ?? '';

it('listens at one address of localhost, with all its listeners', async () => {
  const scripts = ['two-loopbacks.cjs', 'slow-service.cjs'].map((name) => path.join(__dirname, name));
  const service = await GuardedProcess.start(process.execPath, ['--require', ...scripts], {
    env: { ...process.env, HOST: 'localhost' },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
  try {
    await until(() => urlOf(service) !== '', { actual: () => service.lastLines });
    const { port } = new URL(urlOf(service));
    const statuses = ['127.0.0.1', '[::1]'].map((host) =>
      fetch(`http://${host}:${port}/`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    );
    expect((await Promise.all(statuses)).toSorted()).toEqual([404, 'refused']);
  } finally {
    await service.stop();
  }
});

it('does not wait for connections that never sent anything', async () => {
  const { url, connections, drained } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await until(() => {
    connections.closeUnused();
    return socket.destroyed;
  });
  expect(await drained(async () => {})).toBe(0);
});

it('sends all pending responses of a connection, and announces its close with the last one', async () => {
  const { url, connections, drained } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const received = readAll(socket);
  const askSlow = async () => {
    const before = slow.requests;
    socket.write('GET /slow HTTP/1.1\r\nHost: waggle\r\n\r\n');
    await until(() => slow.requests > before);
    return slow.respond;
  };
  const responses = [await askSlow(), await askSlow()];
  connections.closeAfterResponses();
  for (const respond of responses) respond();
  expect((await received).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual([
    ...['HTTP/1.1 200', 'Connection: keep-alive'],
    ...['HTTP/1.1 200', 'Connection: close'],
  ]);
  expect(await drained(async () => {})).toBe(0);
});
