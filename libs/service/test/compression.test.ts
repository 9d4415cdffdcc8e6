import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { until } from '@waggle/testing';
import { createApplication, createLogger, createMetrics, ResponseLimits } from '../src';

const mebibyte = 1024 * 1024;
/** More than the socket buffers of one connection hold, about 6 MB, also after compression to three quarters. */
const hugeText = randomBytes(12 * mebibyte).toString('base64');
/** 64 KiB, compressed 48. */
const page = randomBytes(48 * 1024).toString('base64');

@Module({})
class TestModule {}

describe('compression', () => {
  let app: NestFastifyApplication;
  let metrics: ReturnType<typeof createMetrics>;
  let url: string;
  let pagesRead: number;
  let isSourceOpen: boolean;
  const sockets: Socket[] = [];

  async function start({ compressesResponses = true, stallMs = 15_000 } = {}) {
    metrics = createMetrics();
    app = await createApplication(TestModule, {
      logger: createLogger('test', 'silent'),
      metrics,
      restErrors: {},
      corsOrigins: [],
      trustedProxies: [],
      responseLimits: new ResponseLimits({ totalBytes: 48 * mebibyte, bytesPerSecond: 1e12, stallMs }, metrics),
      compressesResponses,
    });
    const http = app.getHttpAdapter().getInstance();
    http.get('/huge', (_request, reply) => reply.type('text/plain').send(hugeText));
    http.get('/endless', (_request, reply) => reply.type('text/csv').send(openSource(Infinity)));
    http.get('/failing', (_request, reply) => reply.type('text/csv').send(openSource(20)));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  }

  /** A stream that fails after this many pages. */
  function openSource(pages: number): Readable {
    pagesRead = 0;
    isSourceOpen = true;
    function* read() {
      for (; pagesRead < pages; pagesRead += 1) yield page;
      throw new Error('the source failed');
    }
    return Readable.from(read()).once('close', () => (isSourceOpen = false));
  }

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  /** Requests a compressed response and reads only its beginning. */
  async function openStalled(path: string): Promise<Socket> {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n`);
    const [beginning] = await once(socket, 'data');
    socket.pause();
    expect(String(beginning)).toMatch(/^content-encoding: gzip\r$/im);
    return socket;
  }

  async function open(path: string): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      get(url + path, { agent: false, headers: { 'accept-encoding': 'gzip' } }, resolve).on('error', reject);
    });
  }

  async function request(path: string) {
    const response = await open(path);
    const encoding = response.headers['content-encoding'];
    return { status: response.statusCode, encoding, received: await buffer(response) };
  }

  const heldBytes = async () => (await metrics.getSingleMetric('http_unsent_response_bytes')?.get())?.values[0]?.value;
  const cut = async () =>
    (await metrics.getSingleMetric('http_limited_responses_total')?.get())?.values.find(
      ({ labels }) => labels['outcome'] === 'cut',
    )?.value ?? 0;

  it('is only for services that enable it', async () => {
    await start({ compressesResponses: false });
    const { encoding, received } = await request('/huge');
    expect([encoding, received.toString() === hugeText]).toEqual([undefined, true]);
  });

  it('counts the whole response until it is sent', async () => {
    await start();
    const stalled = await openStalled('/huge');
    await until(async () => (await heldBytes()) === hugeText.length);
    const rejected = await request('/huge');
    expect([rejected.status, rejected.encoding]).toEqual([429, undefined]);
    expect(JSON.parse(rejected.received.toString())).toMatchObject({ code: 'rate-limited' });
    stalled.resume();
    await until(async () => (await heldBytes()) === 0);
    const served = await request('/huge');
    expect([served.status, served.encoding, gunzipSync(served.received).toString() === hugeText]).toEqual([
      200,
      'gzip',
      true,
    ]);
  });

  it('reads a stream at the pace of its client, until the client is disconnected', async () => {
    await start({ stallMs: 1_500 });
    await openStalled('/endless');
    await until(async () => (await cut()) === 1);
    await until(() => !isSourceOpen);
    // 32 MB, more than sockets and streams hold.
    expect(pagesRead).toBeLessThan(500);
  });

  it('stops reading a stream when its client disconnects', async () => {
    await start();
    const client = await openStalled('/endless');
    await until(() => pagesRead > 10);
    client.destroy();
    await until(() => !isSourceOpen);
    await until(async () => (await heldBytes()) === 0);
  });

  it('closes the connection if the stream fails', async () => {
    await start();
    const response = await open('/failing');
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'gzip']);
    await expect(buffer(response)).rejects.toThrow();
    expect(pagesRead).toBe(20);
  });
});
