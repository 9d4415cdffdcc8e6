import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OwnProcess, Running } from '@waggle/running';
import { findFreePort, until } from '@waggle/testing';
import { type RepeatedRequest, RequestLoad, untilCaughtUp } from './request-load';

const request: RepeatedRequest = { method: 'GET', path: '/', isCorrect: (text) => text === 'right' };

it('counts each wrong response, error and broken connection, without a retry', async () => {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    if (count === 1) response.end('wrong');
    else if (count === 2) response.writeHead(503).end();
    else if (count === 3) response.destroy();
    else response.end('right');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const load = new RequestLoad((server.address() as AddressInfo).port, [request], 1);
  load.start();
  await until(() => count > 4);
  await load.stop();
  server.close();
  expect(Object.fromEntries(load.counts.failed)).toEqual({
    'GET /: a wrong response': 1,
    'GET /: status 503': 1,
    'GET /: ECONNRESET': 1,
  });
  expect(load.counts.succeeded).toBe(count - 3);
});

it('stops waiting for an indexer that ends', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-indexer-'));
  writeFileSync(path.join(folder, 'indexer.js'), 'console.error("no such block"); process.exit(1);');
  const running = new Running();
  try {
    const indexer = await OwnProcess.start(running, { name: 'indexer', script: 'indexer.js', checkout: folder });
    await expect(untilCaughtUp(indexer, await findFreePort(), [request])).rejects.toThrow(
      /^The indexer ended with exit code 1\. Its last lines:\n {2}no such block/,
    );
  } finally {
    await running.endAll();
    rmSync(folder, { recursive: true });
  }
});
