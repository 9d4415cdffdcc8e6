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

/** `POSTS=1000000 npx jest snapshot-speed` measures; with the default it only checks that the measurement works. */
const posts = Number(process.env['POSTS'] ?? 1_000);

jest.setTimeout(3_600_000);

/** Rows in the proportions of a social network, with keys and texts that do not compress better than real ones. */
const fill = `
  INSERT INTO account SELECT i, 'a' || i || '-' || substr(md5(i::text), 1, 4), (i * 7919) % 100000000000, 10, 10, '2025-06-01', NULL, NULL, false
    FROM generate_series(1::bigint, ${posts} / 10) i;
  INSERT INTO post SELECT i, CASE WHEN i % 4 > 0 THEN 1 + (i * 7919) % i END, 1 + (i * 7919) % (${posts} / 10), CASE WHEN i % 2 = 0 THEN 1 + i % 900 END, i % 4, false,
    false, 're-' || substr(md5(i::text), 1, 20), i - i % 4, CASE WHEN i % 4 > 0 THEN 1 + (i * 31) % (${posts} / 10) END, '2025-06-01', i % 7, 0
    FROM generate_series(1::bigint, ${posts}) i;
  INSERT INTO post_content SELECT i, '2025-06-01'::timestamptz + i * interval '3 s', 0, CASE WHEN i % 4 = 0 THEN 'bees' END, CASE WHEN i % 4 = 0 THEN md5(i::text) ELSE '' END,
    '{"app":"' || md5(i::text) || '"}' FROM generate_series(1::bigint, ${posts}) i;
  INSERT INTO post_tag SELECT substr(md5((i * j % 9999)::text), 1, 9), i FROM generate_series(4::bigint, ${posts}, 4) i, generate_series(1, 4) j ON CONFLICT DO NOTHING;
  INSERT INTO post_text SELECT i, '2025-06-01'::timestamptz + i * interval '3 s', (SELECT string_agg(md5((i * j)::text), ' ') FROM generate_series(1::bigint, 25) j), true
    FROM generate_series(1::bigint, ${posts}) i;
  INSERT INTO payout SELECT i, (i * 31) % 5000, (i * 31) % 5000, 0, 0, (i * 31) % 5000, (i * 7919) % 10000000000, (i * 7919) % 10000000000, 0, 1000000000, '2025-06-08', 10, 10, 10000,
    i > ${posts} / 20, true, true, 0, NULL FROM generate_series(1::bigint, ${posts}) i;
  INSERT INTO ranked_post SELECT i, (i * 31) % 5000, 0, (i * 7919) % 9999, (i * 31) % 9999, '2025-06-01', 1 + i % 900, i % 4 > 0 FROM generate_series(1::bigint, ${posts} / 20) i;
  INSERT INTO vote SELECT i, j * 37 % (${posts} / 10), (i * j * 7919) % 10000000000, '2025-06-01'::timestamptz + i * interval '3 s', 10000, 0, true, (i * j * 7919) % 10000000
    FROM generate_series(1::bigint, ${posts}) i, generate_series(1::bigint, 10) j;
  INSERT INTO follow SELECT i, j, 1 FROM generate_series(1::bigint, ${posts} / 10) i, generate_series(1 + i % 100, 10 + i % 100) j;
  INSERT INTO subscription SELECT 1 + i % 900, i, '2025-06-01' FROM generate_series(1::bigint, ${posts} / 10) i;
  INSERT INTO notification SELECT i << 22, 1 + (i * 7919) % ${posts}, 1 + (i * 7919) % ${posts}, 1 + (i * 31) % (${posts} / 10), 1 + (i * 7919) % (${posts} / 10), NULL, 25 + i % 50, NULL
    FROM generate_series(1::bigint, ${posts}) i;
  INSERT INTO mention SELECT i, 1 + (i * 31) % (${posts} / 10), i << 22 FROM generate_series(1::bigint, ${posts} / 20) i;
  ANALYZE`;

it(`exports and imports an index with ${posts} posts`, async () => {
  const devnet = await Devnet.start({ unsigned: true });
  devnet.chain.produceBlock();
  devnet.makeIrreversible();
  const block = devnet.chain.head;
  const hive = new HiveClient({ urls: devnet.urls });
  const [source, target] = [await freshDatabase(), await freshDatabase()];
  const client = new Client({ connectionString: source.url });
  await client.connect();
  await client.query(fill);
  await client.query(
    `INSERT INTO index_state
     VALUES (true, gen_random_uuid(), '2025-01-01', 1, 90, '2025-01-01', ${posts} + 1, ${posts} + 1, true, true, NULL, '2025-01-01')`,
  );
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
