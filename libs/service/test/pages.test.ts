import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Module } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication, createLogger, createMetrics, pageHeaders, serveFiles } from '@waggle/service';

@Module({})
class NoModule {}

const script = 'console.log("a line that is repeated");\n'.repeat(100);
const folder = mkdtempSync(path.join(tmpdir(), 'waggle-pages-'));
let app: NestFastifyApplication;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'icons'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><script type="module" src="app.js"></script>');
  writeFileSync(path.join(folder, 'app.js'), script);
  writeFileSync(path.join(folder, 'part-ABCD2345.js'), script);
  writeFileSync(path.join(folder, 'icons/icon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'notes.secret'), 'not for the web');
  app = await createApplication(NoModule, {
    logger: createLogger('pages', 'silent'),
    metrics: createMetrics(),
    restErrors: {},
    corsOrigins: ['https://app.example'],
    trustedProxies: [],
    compressesResponses: true,
  });
  const fastify = app.getHttpAdapter().getInstance();
  serveFiles(fastify, { url: '/app/', folder, headers: pageHeaders({ frameOrigins: ['https://wallet.example'] }) });
  serveFiles(fastify, { url: '/module/', folder, isRecursive: false, isForAnyOrigin: true });
  await app.init();
  await fastify.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

it('serves the page of a folder, and redirects to it without the slash', async () => {
  const page = await get('/app/');
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const redirect = await get('/app');
  expect([redirect.statusCode, redirect.headers['location']]).toEqual([308, '/app/']);
});

it('compresses a file for clients that accept it', async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ] as const) {
    const { headers, rawPayload } = await get('/app/app.js', { 'Accept-Encoding': accepted });
    expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'Origin, Accept-Encoding']);
    expect(rawPayload.length).toBeLessThan(300);
    expect(unpack[encoding](rawPayload).toString()).toBe(script);
  }
  expect((await get('/app/app.js')).payload).toBe(script);
});

it('does not send a file again if the browser has its ETag', async () => {
  const etag = String((await get('/app/app.js')).headers['etag']);
  const again = await get('/app/app.js', { 'If-None-Match': `"other", W/${etag}` });
  expect([again.statusCode, again.payload]).toEqual([304, '']);
});

it('lets browsers cache only files whose name has a hash of the content', async () => {
  const cachingOf = async (url: string) => (await get(url)).headers['cache-control'];
  expect(await cachingOf('/app/app.js')).toBe('public, no-cache');
  expect(await cachingOf('/app/part-ABCD2345.js')).toBe('public, max-age=31536000, immutable');
});

it('serves only web files of the folder', async () => {
  for (const url of ['/app/notes.secret', '/app/..%2fpackage.json', '/app/icons', '/module/icons/icon.svg'])
    expect((await get(url)).statusCode).toBe(404);
  expect((await get('/app/icons/icon.svg')).statusCode).toBe(200);
});

it('lets pages of every origin load a module, without credentials', async () => {
  const { headers } = await get('/module/app.js', { Origin: 'https://app.example' });
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

it('allows a page its own files, and the named origins to frame it', async () => {
  const policy = String((await get('/app/')).headers['content-security-policy']);
  expect(policy).not.toContain('unsafe');
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'self' https://wallet.example",
      "require-trusted-types-for 'script'",
    ]),
  );
});
