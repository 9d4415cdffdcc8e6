import { CountingProxy, Devnet, Random, type TestDatabase, until } from '@waggle/testing';
import { everyRow, freshDatabase } from './index-under-test';
import { appliedBlock, IndexerProcess } from './indexer-process';
import { RandomSociety } from './random-society';

/** `KILLS=1000 npx jest crash`: the long form. */
const kills = Number(process.env['KILLS'] ?? 4);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** A round has a chain and a comparison of its own: where the machine stands still for long, one round is lost. */
const killsOfRound = 100;
const rounds = Array.from({ length: Math.ceil(kills / killsOfRound) }, (_none, round) => ({
  round: round + 1,
  ofRound: Math.min(killsOfRound, kills - round * killsOfRound),
}));

/** Indexers that run in one process, each with an index of its own: to kill it is to kill each, each at a moment of its own. */
const together = Math.min(10, Math.ceil(kills / 2));

/** Further than any of them comes before it is killed. */
const blocksAhead = 40;

// Long, since the whole machine may stand still for minutes.
jest.setTimeout(Math.max(300_000, Math.min(kills, killsOfRound) * 20_000));

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

  it.each(rounds)(
    'has the same rows as one that was never killed, after $ofRound kills ($round)',
    async ({ ofRound }) => {
      const urls = await Promise.all(Array.from({ length: together }, database));
      const proxies = await Promise.all(urls.map((url) => CountingProxy.to(url)));
      const reached = urls.map((): number[] => []);
      for (let done = 0; done < ofRound; done += together) {
        const furthest = Math.max(...reached.map((blocks) => blocks.at(-1) ?? 0));
        society.live(Math.max(0, furthest + blocksAhead - devnet.chain.lastIrreversible));
        // Between any two statements, and while one is under way: its answer is then never heard.
        // Every other time after the first batches.
        const least = (done / together) % 2 === 0 ? 0 : 50;
        const moments = proxies.map((proxy) =>
          proxy.atMessage(least + random.below(150 - least), { isForwarded: random.chance(0.5) }),
        );
        const indexers = await IndexerProcess.startMany(
          proxies.map((proxy) => proxy.url),
          environment,
        );
        // The end of the chain moves too.
        const ticker = setInterval(() => {
          society.live(1);
        }, 200);
        await Promise.all(moments);
        clearInterval(ticker);
        await indexers.kill();
        for (const [index, url] of urls.entries()) reached[index]?.push(await appliedBlock(url));
      }
      await Promise.all(proxies.map((proxy) => proxy.close()));
      devnet.makeIrreversible();
      const last = await IndexerProcess.startMany(urls, environment);
      for (const url of urls) await until(async () => (await appliedBlock(url)) >= devnet.chain.head.number);
      await last.kill();
      const rows = await undisturbed();
      expect(rows['account']?.length).toBeGreaterThan(3);
      for (const url of urls) expect(await everyRow(url)).toEqual(rows);
      // The kills were in the midst of work, not all before it or after it.
      const places = reached.reduce((sum, blocks) => sum + new Set(blocks.filter((block) => block > 0)).size, 0);
      expect(places).toBeGreaterThanOrEqual(ofRound / 4);
    },
  );
});
