import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Devnet, provideDatabase, startPostgres, startRedis } from '@waggle/testing';
import { checkApp } from '../src/image/checked-app';
import { imagesOfClone } from '../src/image/clone-images';
import { Running } from '../src/running/running';

// Packages are installed, from npm's cache where it has them.
jest.setTimeout(300_000);

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-image-'));
chmodSync(folder, 0o755);
const running = new Running();

afterAll(async () => {
  await running.endAll();
  rmSync(folder, { recursive: true });
});

// One app stands for all, and the one with both roles and a file besides its code. `npm run image:check` does it with each,
// and builds anew instead of taking what is built here.
it('carries out the Dockerfile, and starts the gateway from what comes of it in every role', async () => {
  const image = await imagesOfClone({ folder, isPrebuilt: true }).build({ APP: 'rpc-gateway' });

  expect(image.user).toBe('1000:1000');
  expect(image.labels.get('org.opencontainers.image.title')).toBe('waggle-rpc-gateway');
  const has = (name: string) => existsSync(path.join(image.folder, 'waggle', name));
  // What scanners read.
  const listed = 'node_modules/.package-lock.json';
  const own = [listed, 'apps/rpc-gateway/routes.yaml', 'libs/chain/dist/index.js', 'node_modules/fastify'];
  // Loaded where a collector is named, and by nothing that this test starts.
  const ofTraces = ['sdk-trace-node', 'instrumentation-pg', 'exporter-trace-otlp-http'];
  const wanted = [...own, ...ofTraces.map((name) => `node_modules/@opentelemetry/${name}`)];
  expect(wanted.filter((name) => !has(name))).toEqual([]);
  const foreign = ['apps/chat', 'libs/testing', 'tools', 'node_modules/jest', 'node_modules/typescript', '.env'];
  expect(foreign.filter(has)).toEqual([]);

  const devnet = running.keep(await Devnet.start());
  const postgres = running.keep(await startPostgres({ dataDir: 'temporary' }));
  const redis = running.keep(await startRedis());
  await checkApp(running, 'rpc-gateway', image, {
    databaseUrl: await provideDatabase(postgres, 'rpc-gateway'),
    redisUrl: redis.url,
    hiveApiNodes: devnet.url,
  });
});
