import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { CountingProxy, GuardedProcess, Random, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { exportSnapshot } from '../../src/snapshot/export-snapshot';
import { parseArguments } from '../../src/snapshot/arguments';
import { readChainId } from '../../src/snapshot/read-chain-id';
import { runSnapshot } from '../../src/snapshot/run-snapshot';
import { snapshotTables } from '../../src/snapshot/snapshot-tables';
import { everyRow } from '../support/index-under-test';
import { rowsOf, SnapshotStack } from '../support/snapshot-stack';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** `KILLS=20 npx jest snapshot.test` kills more imports. A process costs 1.5 s of CPU time. */
const kills = Number(process.env['KILLS'] ?? (isLong ? 10 : 1));
/** An import of this size sends the database about as many messages. */
const maxMessage = 70;

jest.setTimeout(300_000 + kills * 10_000);

describe(`snapshots (SEED=${seed})`, () => {
  let stack: SnapshotStack;
  let original: string;
  let stopOriginal: () => Promise<void>;
  let file: Buffer;
  let digest: string;
  /** Of the exports and of the indexer's digests; the latter keep their connection. */
  const openTransactions = (url: string) =>
    rowsOf(
      url,
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'waggle-rpc-gateway-snapshot'
         AND xact_start IS NOT NULL`,
    );

  beforeAll(async () => {
    stack = await SnapshotStack.start(new Random(seed));
    stack.activity.produceBlocks(150);
    stack.devnet.makeIrreversible();
    original = await stack.database();
    const exporting = stack.export(original, 95);
    await stack.untilRequested(original);
    stopOriginal = await stack.index(original, { BLOCKS_PER_BATCH: '7', DIGEST_INTERVAL_BLOCKS: '20' });
    ({ file, digest } = await exporting);
  });
  afterAll(() => stack.stop());

  it('are taken at the requested block while the indexer runs, and let another one continue', async () => {
    const imported = await stack.database();
    expect(await stack.import(imported, file, { expectedDigest: digest })).toBe(digest);
    const checkpoint = await rowsOf(
      imported,
      'SELECT block_number, ids_are_hashes, has_producer_rewards FROM chain_checkpoint',
    );
    expect(checkpoint).toEqual([{ block_number: '95', ids_are_hashes: true, has_producer_rewards: true }]);
    expect((await stack.export(imported)).digest).toBe(digest);

    const complete = await stack.database();
    const stops = [
      await stack.index(imported, { BLOCKS_PER_BATCH: '3' }),
      await stack.index(complete, { DIGEST_INTERVAL_BLOCKS: '20' }),
    ];
    stack.activity.produceBlocks(30);
    await stack.untilIndexed(original, imported, complete);
    const rows = await everyRow(complete);
    expect(await everyRow(imported)).toEqual(rows);
    expect(await everyRow(original)).toEqual(rows);
    expect(rows['notification']?.length).toBeGreaterThan(0);

    // Both compute the digest of the next agreed block.
    await stack.untilRequested(original, complete);
    stack.activity.produceBlocks(25);
    await stack.untilIndexed(original, imported, complete);
    const digests = new Set<string>();
    for (const url of [original, imported, complete]) digests.add((await stack.export(url)).digest);
    expect(digests.size).toBe(1);
    const lastDigest = 'SELECT block_number, document FROM index_digest ORDER BY block_number DESC LIMIT 1';
    await until(async () => (await rowsOf(complete, lastDigest)).length > 0);
    const agreed = await rowsOf(complete, lastDigest);
    await until(async () => (await rowsOf(original, lastDigest)).length > 0);
    expect(await rowsOf(original, lastDigest)).toEqual(agreed);
    // The other tests need the original alone.
    for (const stop of stops) await stop();
  });

  it('are rejected at a block that the index has passed', async () => {
    await expect(stack.export(original, 94)).rejects.toMatchObject({ code: 'block-passed' });
  });

  it('are rejected for an empty index', async () => {
    await expect(stack.export(await stack.database())).rejects.toMatchObject({ code: 'empty-index' });
  });

  it.each(['', 'import', 'export', 'export --out', 'export --out index.gz --at-block 0'])(
    'need valid arguments, unlike %j',
    async (text) => {
      const parsing = Promise.resolve(text.split(' ')).then(parseArguments);
      await expect(parsing).rejects.toMatchObject({
        code: 'invalid-arguments',
        exitCode: 2,
        message: expect.stringContaining('usage: '),
      });
    },
  );

  it.each(['import', 'export --out'])(
    'are not read or written, by %s, where no file can be opened',
    async (command) => {
      const name = path.join(tmpdir(), 'waggle-no-folder', 'index.gz');
      const url = await stack.database();
      const settings = { database: { url }, hive: { nodes: [stack.devnet.url] } };
      const running = runSnapshot(
        parseArguments([...command.split(' '), name]),
        settings,
        new AbortController().signal,
      );
      await expect(running).rejects.toMatchObject({
        code: 'file-not-opened',
        exitCode: 3,
        message: expect.stringContaining('ENOENT'),
      });
    },
  );

  it('do not stop the indexer if the exporter disconnects before its block', async () => {
    const leaving = new AbortController();
    const chainId = await readChainId(stack.hive);
    const head = stack.devnet.chain.head.number;
    const options = { url: original, chainId, atBlock: head + 5, signal: leaving.signal };
    const exporting = exportSnapshot(new PassThrough(), options);
    await until(
      async () => (await rowsOf(original, `SELECT FROM snapshot_request WHERE block_number = ${head + 5}`)).length > 0,
    );
    leaving.abort();
    await expect(exporting).rejects.toThrow();
    stack.activity.produceBlocks(10);
    await stack.untilIndexed(original);
  });

  it('hold no transaction open after their reader has disconnected', async () => {
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const closed = new Writable({
      write: (_chunk, _encoding, done) => {
        done(gone);
      },
    });
    const options = { url: original, chainId: await readChainId(stack.hive), signal: AbortSignal.timeout(60_000) };
    await expect(exportSnapshot(closed, options)).rejects.toMatchObject({ code: 'reader-gone' });
    await until(async () => (await openTransactions(original)).length === 0);
  });

  it(`can be imported after ${kills} imports were killed`, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'waggle-snapshot-'));
    const name = path.join(folder, 'index.gz');
    await writeFile(name, file);
    const random = new Random(seed);
    const main = path.join(__dirname, '../../dist/snapshot.main.js');
    let url = await stack.database();
    let interrupted = 0;
    for (let count = 0; count < kills; count += 1) {
      const proxy = await CountingProxy.to(url);
      const moment = proxy.atMessage(1 + random.below(maxMessage), { isForwarded: random.chance(0.5) });
      const environment = { DATABASE_URL: proxy.url, HIVE_API_NODES: stack.devnet.url };
      const options = { env: environment, stopSignal: 'SIGTERM', stopTimeoutMs: 30_000 } as const;
      const importing = await GuardedProcess.start(process.execPath, [main, 'import', name], options);
      // It ends by itself if it sends fewer messages.
      await Promise.race([moment, importing.ended]);
      await importing.kill();
      await proxy.close();
      const visible = await rowsOf(url, 'SELECT FROM index_state UNION ALL SELECT FROM chain_checkpoint');
      if (visible.length === 0) {
        interrupted += 1;
        continue;
      }
      // It was killed after its last statement.
      expect((await stack.export(url)).digest).toBe(digest);
      url = await stack.database();
    }
    expect(interrupted).toBeGreaterThanOrEqual(kills / 2);
    await rm(folder, { recursive: true });
    expect(await stack.import(url, file)).toBe(digest);
    expect((await stack.export(url)).digest).toBe(digest);
  });

  it('are rejected if altered, truncated or of another chain, and leave no rows', async () => {
    const empty = await stack.database();
    const importError = async (changed: Buffer, options = {}) => {
      try {
        await stack.import(empty, changed, options);
        return 'imported';
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    const text = gunzipSync(file).toString();
    const lines = text.split('\n');
    const altered = (from: string, to: string) => {
      expect(text).toContain(from);
      return gzipSync(text.replace(from, to));
    };
    // One loop imports all tables: some are enough, among them the first and the last.
    for (const [index, { name }] of snapshotTables.entries()) {
      if (index % (isLong ? 5 : 10) !== 0 && index !== snapshotTables.length - 1) continue;
      const first = lines.findIndex((line) => line.startsWith(`{"table":"${name}",`)) + 1;
      const row = lines[first] ?? '';
      const other = row === '\\.' ? '1\t1\n\\.' : row.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
      expect([name, await importError(gzipSync(lines.with(first, other).join('\n')))]).toEqual([name, 'altered']);
      expect([name, await importError(altered(`{"table":"${name}",`, '{"table":"other",'))]).toEqual([name, 'altered']);
    }
    for (const cut of [1, 2, 3, Math.floor(lines.length / 2), lines.length - 2]) {
      expect([cut, await importError(gzipSync(lines.slice(0, cut).join('\n')))]).toEqual([cut, 'truncated']);
    }
    for (const bytes of [20, 1_000, file.length - 4]) {
      expect([bytes, await importError(file.subarray(0, bytes))]).toEqual([bytes, 'truncated']);
    }
    expect(await importError(Buffer.from(text))).toBe('altered');
    expect(await importError(gzipSync('{}\n'))).toBe('not-a-snapshot');
    expect(await importError(gzipSync(`${text}\n`))).toBe('altered');
    expect(await importError(altered('"version":1', '"version":2'))).toBe('other-version');
    expect(await importError(altered('IndexPostContents', 'OtherSchema'))).toBe('other-schema');
    expect(await importError(altered('"notification_days":90', '"notification_days":91'))).toBe('altered');
    expect(await importError(altered('"has_producer_rewards":true', '"has_producer_rewards":false'))).toBe('altered');
    expect(await importError(file, { expectedDigest: '0'.repeat(64) })).toBe('other-digest');
    for (const chainId of [undefined, 'ab'.repeat(32)]) {
      const other = await Devnet.start({ unsigned: true, ...(chainId !== undefined && { chainId }) });
      for (let blocks = 0; blocks < 100; blocks += 1) other.chain.produceBlock();
      const hive = new HiveClient({ urls: other.urls });
      expect(await importError(file, { hive })).toBe('other-chain');
      await hive.close();
      await other.stop();
    }
    expect(await rowsOf(empty, 'SELECT FROM index_state UNION ALL SELECT FROM account')).toEqual([]);
    expect(await importError(file)).toBe('imported');
    expect(await importError(file)).toBe('not-empty');
    await expect(stack.import(original, file, { maxLockWaitMs: 200 })).rejects.toMatchObject({ code: 'busy' });
    await stopOriginal();
    await expect(stack.import(original, file)).rejects.toMatchObject({ code: 'not-empty' });
  });
});
