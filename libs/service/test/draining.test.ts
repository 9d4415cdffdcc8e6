import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { text as readAll } from 'node:stream/consumers';
import { Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication, createLogger, createMetrics, drain, OperationsModule, Readiness } from '../src';

const readiness = new Readiness([]);
const metrics = createMetrics();

@Module({ imports: [OperationsModule.forRoot({ readiness, metrics })] })
class TestModule {}

/** A client with one connection that it keeps, and what it saw. */
interface Client {
  answers: number;
  /** `close` once it was told so, or what befell a request. */
  end: string;
}

/** Asks one thing after another over one connection, until it is told to use it no more. */
async function ask(url: string, betweenMs: number, client: Client): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (client.end === '') {
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url}/health/live`, { agent }, resolve).on('error', reject);
      });
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

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await pause(5);
}

it('tells every client to use its connection no more before it closes, and loses no request', async () => {
  const app: NestFastifyApplication = await createApplication(TestModule, {
    logger: createLogger('test', 'silent'),
    metrics,
    restErrors: {},
    corsOrigins: [],
    trustedProxies: [],
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const clients = Array.from({ length: 40 }, (): Client => ({ answers: 0, end: '' }));
  // Some ask without a pause; the rarest asks twice within the delay.
  const asking = Promise.all(clients.map((client, index) => ask(url, index * 5, client)));
  await until(() => clients.every(({ answers }) => answers > 1));
  expect(clients.map(({ end }) => end).filter((end) => end !== '')).toEqual([]);

  const drained = drain(app, readiness, 500);
  const ready = await fetch(`${url}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, draining: true }]);
  await asking;
  await drained;
  expect(clients.map(({ end }) => end)).toEqual(clients.map(() => 'close'));
  await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
});
