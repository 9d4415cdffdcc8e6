import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { HiveClient } from '@waggle/chain';
import { Devnet, seedAccounts } from '@waggle/devnet';
import { createLogger } from '@waggle/service';
import { exampleIn, Random, until } from '@waggle/testing';
import { Client } from 'pg';
import { z } from 'zod';
import { findAccountDetails } from '../../src/accounts/account-details';
import { readIndexerConfig } from '../../src/config';
import { type Indexer } from '@waggle/service/chain';
import { createGatewayIndexer } from '../../src/indexer.app';
import { accountProfile } from '../../src/local/methods/profiles';
import { GatewayUnderTest, type HttpResponse } from '../support/gateway-under-test';
import { IndexCopies } from './index-copies';
import { RandomActivity } from '../support/random-activity';
import { RandomCalls } from './random-calls';

/** `LONG=true npx jest index-completeness`: 10,000 calls during the catch-up of 20,000 blocks, and 300 switches. */
const isLong = process.env['LONG'] === 'true';
const { blocks, calls, rounds, nodeDelayMs, maxMs } = isLong
  ? { blocks: 20_000, calls: 10_000, rounds: 50, nodeDelayMs: 100, maxMs: 600_000 }
  : { blocks: 150, calls: 150, rounds: 1, nodeDelayMs: 100, maxMs: 60_000 };
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Weeks pass between some blocks of the random history, and it must not reach the future. */
const genesisTime = Date.UTC(2016, 3, 1) / 1_000;

jest.setTimeout(maxMs);

/** A response without the parts that differ between calls. */
function contentOf({ text }: HttpResponse): string {
  return text.replace(/"timestamp":"[^"]*"/g, '');
}

/** The outcomes of the calls to one gateway. */
class Comparison {
  readonly sources = new Map<string, number>();
  /** Differences that `X-Gateway-Index-Lag` announces. */
  lagging = 0;
  readonly silent: string[] = [];

  add(call: unknown, response: HttpResponse, reference: HttpResponse): void {
    const source = response.headers['x-gateway-source'] ?? 'none';
    this.sources.set(source, (this.sources.get(source) ?? 0) + 1);
    if (contentOf(response) === contentOf(reference)) return;
    if (source === 'index' && Number(response.headers['x-gateway-index-lag']) > 0) this.lagging += 1;
    else this.silent.push(`${source}: ${JSON.stringify(call)}: ${response.text} instead of ${reference.text}`);
  }
}

describe(`a gateway whose index is incomplete (SEED=${seed})`, () => {
  const random = new Random(seed);
  let devnet: Devnet;
  let reference: GatewayUnderTest;
  /** Forwards local methods at any lag. */
  let strict: GatewayUnderTest;
  /** Another instance, on the same database, with the default limit. */
  let tolerant: GatewayUnderTest;
  let activity: RandomActivity;
  let randomCalls: RandomCalls;
  const indexers: Indexer[] = [];

  const startIndexer = async (gateway: GatewayUnderTest, node: string, blocksPerBatch: number) => {
    const config = readIndexerConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: gateway.database.url,
      HIVE_API_NODES: node,
      POLL_INTERVAL_MS: '50',
      BLOCKS_PER_BATCH: String(blocksPerBatch),
    });
    const indexer = await createGatewayIndexer(config, createLogger('rpc-gateway-indexer', 'silent'));
    indexers.push(indexer);
    indexer.start();
    return indexer;
  };
  const stopIndexer = async (indexer: Indexer) => {
    indexers.splice(indexers.indexOf(indexer), 1);
    await indexer.app.close();
  };
  const untilComplete = (gateway: GatewayUnderTest) =>
    until(async () => (await gateway.indexBlock()) === devnet.chain.lastIrreversible, { limitMs: maxMs });
  const query = async (sql: string) => {
    const client = new Client({ connectionString: strict.database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };

  /** Waits until no gateway responds with data of accounts that it cached before the last blocks. */
  const untilAccountsAreCurrent = async () => {
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
      });
  };

  /** Calls that have not been compared yet. */
  const inFlight = new Set<Promise<void>>();

  /** Makes random calls, several at once, and compares them with the reference. */
  const compare = async (isDone: (made: number) => boolean) => {
    const comparisons = { strict: new Comparison(), tolerant: new Comparison() };
    let made = 0;
    const callOnce = async () => {
      const call = randomCalls.next();
      const [expected, ...responses] = await Promise.all(
        [reference, strict, tolerant].map((gateway) => gateway.call(call.method, call.params)),
      );
      if (expected === undefined) return;
      const { result } = expected.json as { result?: unknown };
      randomCalls.remember(result);
      for (const [index, comparison] of [comparisons.strict, comparisons.tolerant].entries()) {
        const response = responses[index];
        if (response !== undefined) comparison.add(call, response, expected);
      }
    };
    const worker = async () => {
      while (!isDone(made)) {
        made += 1;
        const calling = callOnce();
        inFlight.add(calling);
        await calling.finally(() => inFlight.delete(calling));
        // Without a pause, the calls slow down what the test waits for.
        if (!isLong) await setTimeout(40);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    return comparisons;
  };

  beforeAll(async () => {
    devnet = await Devnet.start({ unsigned: true, nodes: 2, genesisTime });
    activity = new RandomActivity(devnet, random);
    activity.createCommunities();
    activity.produceBlocks(blocks, 100);
    devnet.makeIrreversible();
    randomCalls = new RandomCalls(random, activity.postCount);
    const [first, second] = devnet.nodes;
    reference = await GatewayUnderTest.start([first?.url ?? ''], { index: 'none', isPatient: true });
    await startIndexer(reference, first?.url ?? '', 100);
    await untilComplete(reference);
    second?.misbehave({ slowMs: nodeDelayMs });
    // The complete gateway is the node of the others: it has the local methods, and ids like theirs.
    const changes = { index: 'none', routes: sharedCursors, isPatient: true } as const;
    strict = await GatewayUnderTest.start([`${reference.url}/rpc`], { ...changes, maxLagSeconds: 0 });
    tolerant = await GatewayUnderTest.start([`${reference.url}/rpc`], { ...changes, database: strict.database });
  });
  afterAll(async () => {
    for (const indexer of indexers) await indexer.app.close();
    await tolerant.stop();
    await strict.stop();
    await reference.stop();
    await devnet.stop();
  });

  it('responds like one with a complete index before, during and after the initial indexing', async () => {
    const before = await compare((made) => made >= 30);
    expect([...before.strict.sources.keys()]).not.toContain('index');

    const slowNode = devnet.nodes[1]?.url ?? '';
    const indexer = await startIndexer(strict, slowNode, isLong ? 20 : 10);
    let isComplete = false;
    const complete = untilComplete(strict).then(() => (isComplete = true));
    const during = await compare((made) => made >= calls && isComplete);
    await complete;
    const after = await compare((made) => made >= 100);
    await stopIndexer(indexer);

    if (isLong)
      for (const [gateway, { sources, lagging }] of Object.entries(during)) console.log(gateway, sources, { lagging });
    // The comparison includes calls that were made while the index was incomplete.
    for (const { sources } of Object.values(during)) expect([...sources.keys()]).toContain('upstream');
    expect([...after.strict.sources.keys()]).not.toContain('upstream');
    const all = [before, during, after];
    expect(all.flatMap(({ strict: { silent }, tolerant: { silent: others } }) => [...silent, ...others])).toEqual([]);
    // Without lag there is no difference at all.
    expect(all.map(({ strict: { lagging } }) => lagging)).toEqual([0, 0, 0]);
    expect(after.tolerant.lagging).toBe(0);
    expect(after.strict.sources.get('index')).toBeGreaterThan(50);
  });

  it('forwards calls while the index is rebuilt, and while its database is unavailable', async () => {
    let isDone = false;
    const comparing = compare(() => isDone);
    await query(exampleIn('docs/runbooks/rpc-gateway.md', 'Reindex'));
    await until(async () => (await strict.indexBlock()) === undefined);
    const indexer = await startIndexer(strict, devnet.node.url, 100);
    await untilComplete(strict);
    await stopIndexer(indexer);
    await query('ALTER TABLE index_state RENAME TO elsewhere');
    await until(async () => (await strict.indexBlock()) === undefined);
    await query('ALTER TABLE elsewhere RENAME TO index_state');
    await until(async () => (await strict.indexBlock()) !== undefined);
    isDone = true;
    const { strict: compared, tolerant: others } = await comparing;
    expect([...compared.silent, ...others.silent]).toEqual([]);
    expect(compared.lagging).toBe(0);
  });

  it('responds like one with a complete index while blocks are lost and restored, at any lag', async () => {
    const copies = await IndexCopies.of(strict.database.url);
    const indexer = await startIndexer(strict, devnet.node.url, 100);
    const extend = async (count: number) => {
      activity.produceBlocks(count, 0);
      devnet.makeIrreversible();
      await untilComplete(reference);
      await untilComplete(strict);
    };
    await untilComplete(strict);
    await copies.save('beyond');
    await extend(40);
    await copies.save('within');
    await extend(20);
    await stopIndexer(indexer);
    await copies.save('complete');
    await untilAccountsAreCurrent();

    const head = devnet.chain.lastIrreversible;
    const blocks = { beyond: [undefined, undefined], within: [undefined, head - 20], complete: [head, head] } as const;
    const isSeen = async (copy: keyof typeof blocks) =>
      isDeepStrictEqual(await Promise.all([strict.indexBlock(), tolerant.indexBlock()]), blocks[copy]);
    let isDone = false;
    const comparing = compare(() => isDone);
    for (let round = 0; round < rounds; round += 1) {
      // Each change from one to another, once.
      for (const copy of ['within', 'beyond', 'complete', 'beyond', 'within', 'complete'] as const) {
        await copies.restore(copy);
        await until(() => isSeen(copy));
        // No call spans two changes, since it would not detect that the index was replaced meanwhile.
        await Promise.all(inFlight);
      }
    }
    isDone = true;
    const { strict: compared, tolerant: others } = await comparing;
    await copies.close();
    if (isLong) console.log('switches', compared.sources, others.sources, { lagging: others.lagging });
    expect([...compared.silent, ...others.silent]).toEqual([]);
    expect(compared.lagging).toBe(0);
    for (const { sources } of [compared, others])
      expect([...sources.keys()]).toEqual(expect.arrayContaining(['index', 'upstream']));
  });
});

const profilesResponse = z.object({ result: z.array(accountProfile) });

const sharedCursors = readFileSync(path.join(__dirname, '../../routes.yaml'), 'utf8').replace(
  /(hive: \{.*) \}/,
  '$1, shares-cursors: true }',
);
