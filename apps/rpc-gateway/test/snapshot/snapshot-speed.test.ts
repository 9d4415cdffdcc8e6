import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { Client } from 'pg';
import { exportSnapshot } from '../../src/snapshot/export-snapshot';
import { importSnapshot } from '../../src/snapshot/import-snapshot';
import { readChainId } from '../../src/snapshot/read-chain-id';
import { freshDatabase } from '../support/index-under-test';
import { fillIndex } from '../support/large-index';

/** `POSTS=1000000 npx jest snapshot-speed` measures; with the default it only checks that the measurement works. */
const posts = Number(process.env['POSTS'] ?? 1_000);

jest.setTimeout(3_600_000);

it(`exports and imports an index with ${posts} posts`, async () => {
  const devnet = await Devnet.start({ unsigned: true });
  devnet.chain.produceBlock();
  devnet.makeIrreversible();
  const block = devnet.chain.head;
  const hive = new HiveClient({ urls: devnet.urls });
  const [source, target] = [await freshDatabase(), await freshDatabase()];
  const client = new Client({ connectionString: source.url });
  await client.connect();
  await fillIndex(client, posts);
  await client.query(`INSERT INTO chain_checkpoint VALUES ('rpc-gateway', $1, $2, '2025-06-01', now())`, [
    block.number,
    block.id,
  ]);
  const sizeOf = async (url: string) => {
    const measuring = new Client({ connectionString: url });
    await measuring.connect();
    const { rows } = await measuring.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
    await measuring.end();
    return Number(rows[0]?.bytes);
  };
  await client.end();

  const folder = await mkdtemp(path.join(tmpdir(), 'waggle-snapshot-'));
  const name = path.join(folder, 'index.gz');
  const signal = new AbortController().signal;
  const chainId = await readChainId(hive);
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  }, 100);
  const startedBytes = process.memoryUsage().rss;
  const exportMs = performance.now();
  const exported = await exportSnapshot(createWriteStream(name), { url: source.url, chainId, signal });
  const importMs = performance.now();
  const imported = await importSnapshot(createReadStream(name), { url: target.url, hive, signal });
  const endMs = performance.now();
  clearInterval(watch);
  expect(imported).toEqual(exported);

  const rows = exported.sections.reduce((sum, section) => sum + section.rows, 0);
  const { size } = await stat(name);
  const perSecond = (ms: number) => Math.round((rows / ms) * 1_000);
  console.log({
    rows,
    fileBytes: size,
    bytesPerRow: size / rows,
    databaseBytes: [await sizeOf(source.url), await sizeOf(target.url)],
    exportSeconds: (importMs - exportMs) / 1_000,
    exportedRowsPerSecond: perSecond(importMs - exportMs),
    importSeconds: (endMs - importMs) / 1_000,
    importedRowsPerSecond: perSecond(endMs - importMs),
    addedMemoryBytes: peakBytes - startedBytes,
  });
  await rm(folder, { recursive: true });
  await hive.close();
  await devnet.stop();
  await source.drop();
  await target.drop();
});
