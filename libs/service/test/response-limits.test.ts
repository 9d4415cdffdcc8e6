import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { until } from '@waggle/testing';
import {
  createApplication,
  createLogger,
  createMetrics,
  OperationsModule,
  Readiness,
  ResponseLimits,
  type StreamedResponse,
  uncountedBytes,
} from '../src';
import { handleInTurn } from '../src/responses/handle-in-turn';

const mebibyte = 1024 * 1024;
/** More than the socket buffers of one connection hold, about 6 MB. */
const hugeBytes = 12 * mebibyte;
const totalBytes = 40 * mebibyte;

@Controller()
class TextsController {
  @Get('text/:bytes')
  text(@Param('bytes') bytes: string): string {
    return 'x'.repeat(Number(bytes));
  }

  @Post('text/:bytes')
  change(@Param('bytes') bytes: string): string {
    return this.text(bytes);
  }

  @Post('length')
  length(@Body() body: { text: string }): number {
    return body.text.length;
  }
}

describe('the limits of responses', () => {
  let app: NestFastifyApplication;
  let metrics: ReturnType<typeof createMetrics>;
  let port: number;
  let handled: number;
  let events: StreamedResponse;
  const sockets: Socket[] = [];

  async function start({ stallMs = 15_000, bytesPerSecond = 1e12 } = {}) {
    metrics = createMetrics();
    const responseLimits = new ResponseLimits({ totalBytes, bytesPerSecond, stallMs }, metrics);
    @Module({
      imports: [OperationsModule.forRoot({ readiness: new Readiness([]), metrics })],
      controllers: [TextsController],
    })
    class TestModule {}
    app = await createApplication(TestModule, {
      logger: createLogger('test', 'silent'),
      metrics,
      restErrors: {},
      corsOrigins: [],
      trustedProxies: [],
      bodyLimitBytes: 16 * mebibyte,
      responseLimits,
      accountOf: ({ headers }) => headers['x-account']?.toString(),
    });
    handled = 0;
    app.getHttpServer().on('request', () => (handled += 1));
    app
      .getHttpAdapter()
      .getInstance()
      .route({
        method: ['HEAD', 'GET'],
        url: '/stream',
        handler: (_request, reply) => reply.header('Content-Length', 6).send(Readable.from(['a file'])),
      });
    app
      .getHttpAdapter()
      .getInstance()
      .route({
        method: 'GET',
        url: '/events',
        handler: (request, reply) => {
          reply.hijack();
          const response = reply.raw.writeHead(200);
          events = responseLimits.stream({ client: request.client }, request.raw.socket, response);
          events.write(': begin\n\n');
        },
      });
    handleInTurn(app.getHttpServer());
    await app.listen(0, '127.0.0.1');
    port = Number(new URL(await app.getUrl()).port);
  }

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** A connection that reads nothing until the test resumes it. */
  async function openStalled(address: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    sockets.push(socket);
    return socket;
  }

  const requestText = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`;

  async function get(path: string, localAddress: string, headers: Record<string, string> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const agent = new Agent({ localAddress });
      request({ port, host: '127.0.0.1', path, agent, headers }, resolve).on('error', reject).end();
    });
    return { status: response.statusCode, headers: response.headers, text: await readAll(response) };
  }

  const heldBytes = async () => (await metrics.getSingleMetric('http_unsent_response_bytes')?.get())?.values[0]?.value;
  const limited = async (outcome: string) =>
    (await metrics.getSingleMetric('http_limited_responses_total')?.get())?.values.find(
      ({ labels }) => labels['outcome'] === outcome,
    )?.value ?? 0;

  it('reject a client with too many unread bytes with 429, and serve the others', async () => {
    await start();
    const stalled = await openStalled('127.0.0.2');
    stalled.write(requestText(`/text/${hugeBytes}`));
    await until(async () => (await heldBytes()) === hugeBytes);

    const rejected = await get(`/text/${hugeBytes}`, '127.0.0.2');
    expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(JSON.parse(rejected.text)).toMatchObject({ code: 'rate-limited', statusCode: 429 });
    expect(await limited('rejected')).toBe(1);

    const served = await get(`/text/${hugeBytes}`, '127.0.0.3');
    expect(served).toMatchObject({ status: 200, headers: { 'content-length': String(hugeBytes) } });
    expect(served.text.length).toBe(hugeBytes);
    // Small responses are always sent, and so are health checks.
    expect(await get('/text/100', '127.0.0.2')).toMatchObject({ status: 200 });
    expect(await get('/health/live', '127.0.0.2')).toMatchObject({ status: 200 });

    stalled.resume();
    await until(async () => (await heldBytes()) === 0);
    expect(await get(`/text/${hugeBytes}`, '127.0.0.2')).toMatchObject({ status: 200 });
  });

  it('reject with 503 if other clients use the memory, and serve responses that fit into the rest', async () => {
    await start();
    for (const address of ['127.0.0.2', '127.0.0.3']) {
      const stalled = await openStalled(address);
      stalled.write(requestText(`/text/${hugeBytes}`));
    }
    await until(async () => (await heldBytes()) === 2 * hugeBytes);
    const rejected = await get(`/text/${hugeBytes}`, '127.0.0.4');
    expect(rejected).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(rejected.text)).toMatchObject({ code: 'unavailable' });
    expect(await get(`/text/${mebibyte}`, '127.0.0.4')).toMatchObject({ status: 200 });
  });

  it('count an account over all of its addresses', async () => {
    await start();
    const stalled = await openStalled('127.0.0.2');
    stalled.write(requestText(`/text/${hugeBytes}`, 'x-account: mallory\r\n'));
    await until(async () => (await heldBytes()) === hugeBytes);
    const byAccount = (account: string) => get(`/text/${hugeBytes}`, '127.0.0.3', { 'x-account': account });
    expect(await byAccount('mallory')).toMatchObject({ status: 429 });
    expect(await byAccount('alice')).toMatchObject({ status: 200 });
  });

  it('delay the next request of a connection until the previous response is read', async () => {
    await start();
    const stalled = await openStalled('127.0.0.2');
    stalled.write(requestText(`/text/${hugeBytes}`) + requestText('/text/1').repeat(15));
    await until(async () => (await heldBytes()) === hugeBytes);
    expect(await get('/text/1', '127.0.0.3')).toMatchObject({ status: 200 });
    expect(handled).toBe(2);
    stalled.resume();
    await until(() => handled === 17);
    expect(stalled.destroyed).toBe(false);
  });

  it('handle further requests of a connection on which some have waited', async () => {
    await start();
    const client = await openStalled('127.0.0.2');
    client.resume();
    for (const total of [3, 4, 7]) {
      client.write(requestText('/text/1').repeat(total - handled));
      await until(() => handled === total);
    }
    client.pause();
    client.write(requestText(`/text/${hugeBytes}`) + requestText('/text/1').repeat(2));
    await until(async () => (await heldBytes()) === hugeBytes);
    expect(handled).toBe(8);
    client.resume();
    await until(() => handled === 10);
  });

  it('disconnect a client that reads nothing, but not one that reads slowly', async () => {
    await start({ stallMs: 1_500 });
    const stalled = await openStalled('127.0.0.2');
    const slow = await openStalled('127.0.0.3');
    let received = 0;
    let isClosed = false;
    slow.on('data', (chunk: Buffer) => (received += chunk.length)).on('close', () => (isClosed = true));
    slow.pause();
    for (const socket of [stalled, slow]) socket.write(requestText(`/text/${hugeBytes}`));
    const reading = setInterval(() => {
      slow.resume();
      slow.once('data', () => slow.pause());
    }, 10);
    await until(async () => (await limited('cut')) === 1);
    clearInterval(reading);
    slow.resume();
    await until(() => received > hugeBytes);
    expect(isClosed).toBe(false);
    expect(await limited('cut')).toBe(1);
    await until(async () => (await heldBytes()) === 0);
  });

  it('disconnect a client that reads none of its small responses, which do not count', async () => {
    await start({ stallMs: 1_500 });
    const stalled = await openStalled('127.0.0.2');
    let sent = 0;
    await until(async () => {
      if (handled === sent) {
        stalled.write(requestText(`/text/${uncountedBytes}`).repeat(15));
        sent += 15;
      }
      return (await limited('cut')) === 1;
    });
    expect(await heldBytes()).toBe(0);
  });

  it('count request bodies that are being received', async () => {
    await start();
    const slow = await openStalled('127.0.0.2');
    const head = `POST /length HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${hugeBytes}\r\n\r\n`;
    slow.write(`${head}{"text":"`);
    await until(async () => (await heldBytes()) === hugeBytes);
    expect(await get(`/text/${hugeBytes}`, '127.0.0.2')).toMatchObject({ status: 429 });
    slow.destroy();
    await until(async () => (await heldBytes()) === 0);
  });

  it('reject an address that received more bytes than its rate limit allows with 429, until its debt is paid', async () => {
    await start({ bytesPerSecond: 2 * mebibyte });
    expect(await get(`/text/${hugeBytes}`, '127.0.0.2')).toMatchObject({ status: 200 });
    // The burst is 4 MiB, so there is a debt of up to 8 MiB: a busy machine takes more than a second for the download.
    const rejected = await get('/text/1', '127.0.0.2');
    expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[1-4]$/) } });
    expect(JSON.parse(rejected.text)).toMatchObject({ code: 'rate-limited' });
    expect(await get('/health/live', '127.0.0.2')).toMatchObject({ status: 200 });
    expect(await get('/text/1', '127.0.0.3')).toMatchObject({ status: 200 });
    await until(async () => (await get('/text/1', '127.0.0.2')).status === 200);
  });

  it('charge the bytes of a stream, and return how long it has to wait before sending more', async () => {
    await start({ bytesPerSecond: mebibyte });
    const stream = await fetch(`http://127.0.0.1:${port}/events`);
    expect(events.waitMs).toBe(0);
    for (let count = 0; count < 6; count += 1) expect(events.write('x'.repeat(mebibyte))).toBeUndefined();
    expect(events.waitMs).toBeGreaterThan(1_000);
    await expect(get('/text/1', '127.0.0.1')).resolves.toMatchObject({ status: 429 });
    await stream.body?.cancel();
  });

  it('send the response to a write even if there is no memory for it', async () => {
    await start();
    const stalled = await openStalled('127.0.0.2');
    stalled.write(requestText(`/text/${hugeBytes}`));
    await until(async () => (await heldBytes()) === hugeBytes);
    expect(await get(`/text/${hugeBytes}`, '127.0.0.2')).toMatchObject({ status: 429 });
    const url = `http://127.0.0.1:${port}/text/${hugeBytes}`;
    const agent = new Agent({ localAddress: '127.0.0.2' });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method: 'POST', agent }, resolve).on('error', reject).end();
    });
    expect([response.statusCode, (await readAll(response)).length]).toEqual([201, hugeBytes]);
  });

  it('drop the requests that wait behind the last response of a connection', async () => {
    await start();
    const client = await openStalled('127.0.0.2');
    client.write(requestText('/text/1', 'Connection: close\r\n') + requestText('/text/1').repeat(2));
    client.resume();
    await once(client, 'close');
    expect(handled).toBe(1);
  });

  it('charge a response to HEAD, since its body was built', async () => {
    await start({ bytesPerSecond: 4 * mebibyte });
    await fetch(`http://127.0.0.1:${port}/text/${hugeBytes}`, { method: 'HEAD' });
    expect(await get('/text/1', '127.0.0.1')).toMatchObject({ status: 429 });
  });

  it('preserve the headers of a stream for HEAD', async () => {
    await start();
    const response = await fetch(`http://127.0.0.1:${port}/stream`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '6']);
  });

  it('close a connection with too many queued requests, and handle none of them', async () => {
    await start();
    const stalled = await openStalled('127.0.0.2');
    stalled.write(requestText('/text/100').repeat(1_000));
    stalled.resume();
    await once(stalled, 'close');
    expect(handled).toBe(1);
  });
});
