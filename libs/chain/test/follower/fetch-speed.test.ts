import { Devnet } from '@waggle/devnet';
import { longTest } from '@waggle/testing/long-form';
import { HiveClient } from '../../src';
import { BlockReader } from '../../src/follower/reading/block-reader';
import { LastIrreversibleBlock } from '../../src/follower/reading/last-irreversible-block';
import { settingsOf } from '../../src/follower/options';
import { ReadAhead } from '../../src/follower/reading/read-ahead';
import { beforeFirstBlock } from '../../src/follower/writing/checkpoint';
import { record, virtualOperations } from './recording';

/** `LONG=true npx jest fetch-speed`: blocks per second from nodes that take 50 ms, without a database. */
const blocks = 8_000;
/** Few, so that the thread, which also runs the nodes, is mostly idle. */
const batchBlocks = 20;
const slowMs = 50;

let devnet: Devnet;

beforeAll(async () => {
  devnet = await Devnet.start({ unsigned: true, nodes: 4 });
  devnet.produceBlocks(blocks);
  for (const node of devnet.nodes) node.misbehave({ slowMs });
});

afterAll(() => devnet.stop());

/** @returns blocks per second */
async function fetchAll(urls: readonly string[]): Promise<number> {
  const api = new HiveClient({ urls });
  const ending = new AbortController();
  const settings = settingsOf({
    api,
    name: 'test',
    virtualOperations,
    batchBlocks,
    endBlock: devnet.chain.lastIrreversible,
    start: () => Promise.resolve(1),
    apply: record,
    observe: () => ({
      onRole: () => undefined,
      onApplied: () => undefined,
      onRetry: () => undefined,
      onUndecodable: () => undefined,
      onNotCompared: () => undefined,
      onStop: () => undefined,
    }),
    database: { url: '', isUnavailable: () => false, isPooled: () => Promise.resolve(false) },
  });
  const lastIrreversible = new LastIrreversibleBlock(api, { ...settings, onHead: () => undefined });
  const reader = new BlockReader(api, virtualOperations, lastIrreversible, settings);
  const onError = (error: unknown): void => {
    throw error;
  };
  const options = { ...settings, isWanted: () => true, onNotCompared: () => undefined, onError, signal: ending.signal };
  const startedMs = performance.now();
  const batches = new ReadAhead(reader, lastIrreversible, options, beforeFirstBlock);
  let fetched = 0;
  for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) fetched += batch.length;
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(fetched).toBe(devnet.chain.lastIrreversible);
  ending.abort();
  await api.close();
  return fetched / seconds;
}

longTest(
  'two and four nodes are faster than one',
  async () => {
    const speeds: number[] = [];
    for (const count of [1, 2, 4]) speeds.push(await fetchAll(devnet.urls.slice(0, count)));
    process.stdout.write(`1, 2, 4 nodes: ${speeds.map((speed) => speed.toFixed(0)).join(', ')} blocks/s\n`);
    const [one = 0, two = 0, four = 0] = speeds;
    expect(two / one).toBeGreaterThan(1.3);
    expect(four / one).toBeGreaterThan(2);
  },
  120_000,
);
