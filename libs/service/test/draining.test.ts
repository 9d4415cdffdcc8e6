import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { text as readAll } from 'node:stream/consumers';
import { Controller, Get, Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GuardedProcess, until } from '@waggle/testing';
import { createApplication, createLogger, createMetrics, OperationsModule, Readiness } from '../src';
import { OpenRequests } from '../src/open-requests';
import { drain } from '../src/serve';

/** Responds when the test resolves it. */
const slow = { asked: 0, answer: () => {} };

@Controller('slow')
class SlowController {
  @Get()
  async get(): Promise<string> {
    slow.asked += 1;
    await new Promise<void>((resolve) => {
      slow.answer = resolve;
    });
    return 'at last';
  }
}

/** A service that listens, and what a drain of it takes; `lines` are its log. */
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
  const open = new OpenRequests(app.getHttpServer());
  await app.listen(0, '127.0.0.1');
  const drained = (delay: () => Promise<void>, drainLimitMs = 60_000) =>
    drain(app, open, { logger, readiness, drainLimitMs }, delay);
  return { url: await app.getUrl(), open, lines, drained };
}

/** A client with one connection that it keeps, and what it saw. */
interface Client {
  answers: number;
  /** `close` after `Connection: close`, or the error of a request. */
  end: string;
}

async function answerOf(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
}

/** Sends requests in sequence over one connection, until a response closes it. */
async function ask(url: string, betweenMs: number, client: Client): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (client.end === '') {
    try {
      const response = await answerOf(`${url}/health/live`, agent);
      await readAll(response);
      client.answers += 1;
      if (response.headers.connection === 'close') client.end = 'close';
    } catch (error) {
      client.end = String(error);
    }
    await pause(betweenMs);
  }
  agent.destroy();
}

it('announces the end of every connection before it closes, and loses no request', async () => {
  const { url, drained } = await start();
  const clients = Array.from({ length: 40 }, (): Client => ({ answers: 0, end: '' }));
  // Some ask without a pause, others rarely.
  const asking = Promise.all(clients.map((client, index) => ask(url, index * 5, client)));
  await until(() => clients.every(({ answers }) => answers > 1));
  expect(clients.map(({ end }) => end).filter((end) => end !== '')).toEqual([]);

  const draining = drained(async () => {
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, draining: true }]);
    // All connections were announced as closing.
    await asking;
  });
  expect(await draining).toBe(0);
  expect(clients.map(({ end }) => end)).toEqual(clients.map(() => 'close'));
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
});

it('announces it with pending responses too, and waits for them', async () => {
  const { url, drained, lines } = await start();
  const agent = new Agent({ keepAlive: true });
  const asked = slow.asked;
  const asking = answerOf(`${url}/slow`, agent);
  await until(() => slow.asked > asked);
  const draining = drained(async () => {});
  slow.answer();
  const response = await asking;
  expect([response.headers.connection, await readAll(response)]).toEqual(['close', 'at last']);
  expect(await draining).toBe(0);
  expect(lines).toEqual([]);
  agent.destroy();
});

it('cuts off what takes too long, and says so', async () => {
  const { url, drained, lines } = await start();
  const agent = new Agent({ keepAlive: true });
  const asked = slow.asked;
  const asking = expect(answerOf(`${url}/slow`, agent)).rejects.toThrow('socket hang up');
  await until(() => slow.asked > asked);
  expect(await drained(async () => {}, 2_050)).toBe(1);
  await asking;
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ level: 'warn', requests: 1 }]);
  slow.answer();
  agent.destroy();
});

it('ends a process with exit code 1 where it had to cut off a request', async () => {
  const service = await GuardedProcess.start(process.execPath, [path.join(__dirname, 'slow-service.cjs')], {
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
  const untilSaid = (text: string) =>
    until(() => service.lastLines.some((line) => line.includes(text)), { instead: () => service.lastLines });
  await untilSaid('"msg":"listening"');
  const [, url = ''] = /"url":"([^"]+)"/.exec(service.lastLines.join('\n')) ?? [];
  const asking = expect(answerOf(`${url}/slow`, new Agent())).rejects.toThrow('socket hang up');
  await untilSaid('"msg":"asked"');
  expect(await service.stop()).toEqual({ code: 1, signal: null });
  await asking;
  expect(service.lastLines.join('\n')).toContain('were cut off');
});

it('does not wait for connections that never sent anything', async () => {
  const { url, open, drained } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await until(() => {
    open.closeUnused();
    return socket.destroyed;
  });
  expect(await drained(async () => {})).toBe(0);
});

it('sends all pending responses of a connection, and announces its end with the last one', async () => {
  const { url, open, drained } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const received = readAll(socket);
  const askSlow = async () => {
    const asked = slow.asked;
    socket.write('GET /slow HTTP/1.1\r\nHost: waggle\r\n\r\n');
    await until(() => slow.asked > asked);
    return slow.answer;
  };
  const answers = [await askSlow(), await askSlow()];
  open.closeAfterResponses();
  for (const answer of answers) answer();
  expect((await received).match(/HTTP\/1.1 \d+|connection: [\w-]+/gi)).toEqual([
    ...['HTTP/1.1 200', 'Connection: keep-alive'],
    ...['HTTP/1.1 200', 'Connection: close'],
  ]);
  expect(await drained(async () => {})).toBe(0);
});
