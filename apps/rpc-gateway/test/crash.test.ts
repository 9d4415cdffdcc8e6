import { CountingProxy, Devnet, Random, type TestDatabase } from '@waggle/testing';
import { everyRow, freshDatabase } from './index-under-test';
import { appliedBlock, IndexerProcess } from './indexer-process';
import { RandomSociety } from './random-society';

/** `KILLS=1000 npx jest crash`: the long form, an hour. */
const kills = Number(process.env['KILLS'] ?? 4);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

jest.setTimeout(Math.max(300_000, kills * 30_000));

describe(`an indexer that is killed again and again (SEED=${seed})`, () => {
  const random = new Random(seed);
  let devnet: Devnet;
  let society: RandomSociety;
  const databases: TestDatabase[] = [];
  const database = async () => {
    const created = await freshDatabase();
    databases.push(created);
    return created.url;
  };
  const environment = (url: string) => ({
    DATABASE_URL: url,
    HIVE_API_NODES: devnet.url,
    BLOCKS_PER_BATCH: '4',
    POLL_INTERVAL_MS: '50',
  });
  /** The rows of an index that nobody disturbed. */
  const undisturbed = async () => {
    const url = await database();
    const indexer = await IndexerProcess.start(environment(url));
    await indexer.reached(devnet.chain.head.number);
    await indexer.stop();
    return everyRow(url);
  };

  beforeEach(async () => {
    devnet = await Devnet.start({ unsigned: true });
    society = new RandomSociety(devnet, random);
    society.begin();
    society.live(60);
  });
  afterEach(async () => {
    await devnet.stop();
    for (const each of databases.splice(0)) await each.drop();
  });

  it(`has the same rows after ${kills} kills as one that was never killed`, async () => {
    const url = await database();
    const proxy = await CountingProxy.to(url);
    const reached: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const indexer = await IndexerProcess.start(environment(proxy.url));
      // From when it is there, there is always something to do.
      const ticker = setInterval(() => {
        if (proxy.isUsed) society.live(1);
      }, 20);
      // Between any two statements, and while one is under way: its answer is then never heard.
      await proxy.atMessage(random.below(150), { isForwarded: random.chance(0.5) });
      clearInterval(ticker);
      await indexer.kill();
      reached.push(await appliedBlock(url));
    }
    await proxy.close();
    devnet.makeIrreversible();
    const last = await IndexerProcess.start(environment(url));
    await last.reached(devnet.chain.head.number);
    expect(await last.stop()).toEqual({ code: 0, signal: null });
    const rows = await everyRow(url);
    expect(rows).toEqual(await undisturbed());
    expect(rows['account']?.length).toBeGreaterThan(3);
    // The kills were in the midst of work, not all before it or after it.
    expect(new Set(reached).size).toBeGreaterThan(Math.min(3, kills / 6));
  });
});
