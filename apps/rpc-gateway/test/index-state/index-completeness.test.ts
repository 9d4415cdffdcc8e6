import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { HiveClient } from '@waggle/chain';
import { Devnet, seedAccounts } from '@waggle/devnet';
import { createLogger } from '@waggle/service';
import { type Indexer } from '@waggle/service/chain';
import { exampleIn, Random, until, type UntilOptions } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { z } from 'zod';
import { findAccountDetails } from '../../src/accounts/account-details';
import { readIndexerConfig } from '../../src/config';
import { createGatewayIndexer } from '../../src/indexer.app';
import { accountProfile } from '../../src/local/methods/profiles';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { RandomActivity } from '../support/random-activity';
import { Comparison, type ComparedResponses } from './gateway-comparison';
import { IndexCopies } from './index-copies';
import { RandomCalls } from './random-calls';

/*
 * The tests compare the responses of two gateways, whose index is incomplete, with the responses of the reference.
 *
 *   first node ──── blocks ───> index of the reference, which is complete
 *                                    ^
 *                                    │ forwarded calls
 *                                    │
 *                               strict:   forwards local methods if the index lags at all
 *                               tolerant: forwards local methods if the index lags by more than the default limit
 *                                    │
 *                                    v
 *   second node ─── blocks ───> index that strict and tolerant share
 *   (slow)
 */

/**
 * `LONG=true npx jest index-completeness`: at least 10,000 calls while 20,000 blocks are indexed, and 50 rounds of six
 * changes of the index.
 */
const size = isLong
  ? { blocks: 20_000, calls: 10_000, after: 100, rounds: 50 }
  : { blocks: 100, calls: 60, after: 60, rounds: 1 };
/** Of each condition; the default limit fits the default timeout of tests. */
const wait: UntilOptions = isLong ? { limitMs: 600_000 } : {};
if (isLong) jest.setTimeout(660_000);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** So early that the pauses of `RandomActivity`, of up to seven weeks, do not reach the present. */
const genesisTime = Date.UTC(2016, 3, 1) / 1_000;
/** Lets the initial indexing take long enough for calls. */
const slowNodeDelayMs = 100;

const profilesResponse = z.object({ result: z.array(accountProfile) });

describe(`a gateway whose index is incomplete (SEED=${seed})`, () => {
  const random = new Random(seed);
  let devnet: Devnet;
  let slowNodeUrl: string;
  let reference: GatewayUnderTest;
  let strict: GatewayUnderTest;
  let tolerant: GatewayUnderTest;
  let activity: RandomActivity;
  let randomCalls: RandomCalls;
  /** Stop what was started, and are called in reverse order. */
  const stops: (() => Promise<unknown>)[] = [];
  /** The indexers that the current test has started. */
  const indexers = new Set<Indexer>();

  const startIndexer = async (gateway: GatewayUnderTest, nodeUrl: string, blocksPerBatch: number): Promise<Indexer> => {
    const config = readIndexerConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: gateway.database.url,
      HIVE_API_NODES: nodeUrl,
      POLL_INTERVAL_MS: '50',
      BLOCKS_PER_BATCH: String(blocksPerBatch),
    });
    const indexer = await createGatewayIndexer(config, createLogger('rpc-gateway-indexer', 'silent'));
    indexers.add(indexer);
    indexer.start();
    return indexer;
  };
  const stopIndexer = async (indexer: Indexer) => {
    indexers.delete(indexer);
    await indexer.app.close();
  };
  const untilComplete = (gateway: GatewayUnderTest) =>
    until(async () => (await gateway.indexBlock()) === devnet.chain.lastIrreversible, wait);
  const query = async (sql: string) => {
    const client = new Client({ connectionString: strict.database.url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const compareDuring = (work: (comparison: Comparison) => Promise<unknown>) =>
    Comparison.during({ reference, strict, tolerant, calls: randomCalls, pauseMs: isLong ? 0 : 40, wait }, work);

  /** Waits until the accounts that the gateways have cached are as new as the chain. */
  const untilCachedAccountsAreCurrent = async () => {
    const hive = new HiveClient({ urls: [devnet.node.url] });
    const current = await findAccountDetails(hive, seedAccounts);
    await hive.close();
    const isCurrent = ({ name, active }: z.infer<typeof accountProfile>) => {
      const { last_post: lastPost, last_vote_time: lastVote } = current.get(name) ?? {};
      return Date.parse(`${active}Z`) >= Math.max(lastPost?.getTime() ?? 0, lastVote?.getTime() ?? 0);
    };
    for (const gateway of [reference, strict, tolerant])
      await until(async () => {
        const { json } = await gateway.call('bridge.get_profiles', { accounts: seedAccounts });
        return profilesResponse.parse(json).result.every(isCurrent);
      }, wait);
  };

  beforeAll(async () => {
    devnet = await Devnet.start({ unsigned: true, nodes: 2, genesisTime });
    stops.push(() => devnet.stop());
    activity = new RandomActivity(devnet, random);
    activity.createCommunities();
    activity.produceBlocks(size.blocks, 100);
    devnet.makeIrreversible();
    randomCalls = new RandomCalls(random, activity.postCount);
    const slowNode = devnet.nodes[1];
    if (slowNode === undefined) throw new Error('the devnet has no second node');
    slowNode.misbehave({ slowMs: slowNodeDelayMs });
    slowNodeUrl = slowNode.url;

    reference = await GatewayUnderTest.start([devnet.node.url], { index: 'none', isPatient: true });
    stops.push(() => reference.stop());
    const indexer = await startIndexer(reference, devnet.node.url, 100);
    indexers.delete(indexer);
    stops.push(() => indexer.app.close());
    await untilComplete(reference);

    // The reference is their node: it has the local methods, and notifications with the same ids.
    const nodes = [`${reference.url}/rpc`];
    const changes = { index: 'none', routes: routesWithSharedCursors(), isPatient: true } as const;
    strict = await GatewayUnderTest.start(nodes, { ...changes, maxLagSeconds: 0 });
    stops.push(() => strict.stop());
    tolerant = await GatewayUnderTest.start(nodes, { ...changes, database: strict.database });
    stops.push(() => tolerant.stop());
  });
  afterEach(async () => {
    for (const indexer of indexers) await stopIndexer(indexer);
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  it('responds like the reference before, during and after the initial indexing', async () => {
    const before = await compareDuring((comparison) => comparison.untilCompared(30));
    expect([...before.strict.sources.keys()]).not.toContain('index');

    const indexer = await startIndexer(strict, slowNodeUrl, isLong ? 20 : 10);
    const during = await compareDuring(async (comparison) => {
      await untilComplete(strict);
      await comparison.untilCompared(size.calls);
    });
    const after = await compareDuring((comparison) => comparison.untilCompared(size.after));
    await stopIndexer(indexer);

    if (isLong) for (const gateway of ['strict', 'tolerant'] as const) console.log(gateway, summaryOf(during[gateway]));
    // Calls were compared while the index was incomplete, and while it was complete.
    for (const { sources } of [during.strict, during.tolerant]) expect([...sources.keys()]).toContain('upstream');
    expect([...after.strict.sources.keys()]).not.toContain('upstream');
    expect(after.strict.sources.get('index')).toBeGreaterThan(size.after / 2);
    expectNoUnexplained(before, during, after);
    // Without lag there is no difference at all.
    expect([before.strict, during.strict, after.strict, after.tolerant].map(({ announced }) => announced)).toEqual(
      Array(4).fill(0),
    );
    // Equal errors prove little.
    for (const { results } of [after.strict, after.tolerant]) expect(results).toBeGreaterThan(size.after / 5);
  });

  it('forwards calls while the index is rebuilt, and while its state cannot be read', async () => {
    const comparison = await compareDuring(async () => {
      await query(exampleIn('docs/runbooks/rpc-gateway.md', 'Reindex'));
      await until(async () => (await strict.indexBlock()) === undefined, wait);
      const indexer = await startIndexer(strict, devnet.node.url, 100);
      await untilComplete(strict);
      await stopIndexer(indexer);
      await query('ALTER TABLE index_state RENAME TO elsewhere');
      try {
        await until(async () => (await strict.indexBlock()) === undefined, wait);
      } finally {
        await query('ALTER TABLE elsewhere RENAME TO index_state');
      }
      await until(async () => (await strict.indexBlock()) !== undefined, wait);
    });
    expectNoUnexplained(comparison);
    expect(comparison.strict.announced).toBe(0);
  });

  it('responds like the reference while the index loses blocks and gets them back', async () => {
    const extend = async (count: number) => {
      activity.produceBlocks(count, 0);
      devnet.makeIrreversible();
      await untilComplete(reference);
      await untilComplete(strict);
    };
    const copies = await IndexCopies.of(strict.database.url);
    let comparison: Comparison;
    try {
      const indexer = await startIndexer(strict, devnet.node.url, 100);
      await untilComplete(strict);
      await copies.save('far_behind');
      await extend(40);
      await copies.save('slightly_behind');
      await extend(20);
      await stopIndexer(indexer);
      await copies.save('complete');
      await untilCachedAccountsAreCurrent();

      const head = devnet.chain.lastIrreversible;
      /** The blocks of the index that `strict` and `tolerant` answer from; undefined if they forward calls. */
      const indexBlocks = {
        far_behind: [undefined, undefined],
        slightly_behind: [undefined, head - 20],
        complete: [head, head],
      } as const;
      const isNoticed = async (copy: keyof typeof indexBlocks) =>
        isDeepStrictEqual(await Promise.all([strict.indexBlock(), tolerant.indexBlock()]), indexBlocks[copy]);
      comparison = await compareDuring(async (running) => {
        for (let round = 0; round < size.rounds; round += 1) {
          // After `complete`, this order has each of the six changes from one copy to another.
          for (const copy of [
            ...(['slightly_behind', 'far_behind', 'complete'] as const),
            ...(['far_behind', 'slightly_behind', 'complete'] as const),
          ]) {
            await copies.restore(copy);
            await until(() => isNoticed(copy), wait);
            // A call that begins before one change and ends after the next would see the same copy twice, and could not
            // notice that it has also read another one.
            await running.untilInFlightCompared();
          }
        }
      });
    } finally {
      await copies.close();
    }
    if (isLong) console.log('changes', summaryOf(comparison.strict), summaryOf(comparison.tolerant));
    expectNoUnexplained(comparison);
    expect(comparison.strict.announced).toBe(0);
    for (const { sources } of [comparison.strict, comparison.tolerant])
      expect([...sources.keys()]).toEqual(expect.arrayContaining(['index', 'upstream']));
  });
});

function expectNoUnexplained(...comparisons: readonly Comparison[]): void {
  const all = comparisons.flatMap(({ strict, tolerant }) => [...strict.unexplained, ...tolerant.unexplained]);
  expect(all).toEqual([]);
}

function summaryOf({ sources, results, announced }: ComparedResponses): object {
  return { sources, results, announced };
}

/** The route table of the repository for nodes whose notifications have the same ids as in the index. */
function routesWithSharedCursors(): string {
  const table = readFileSync(path.join(__dirname, '../../routes.yaml'), 'utf8');
  const changed = table.replace(/(hive: \{.*) \}/, '$1, shares-cursors: true }');
  if (changed === table) throw new Error('routes.yaml has no backend `hive` in one line');
  return changed;
}
