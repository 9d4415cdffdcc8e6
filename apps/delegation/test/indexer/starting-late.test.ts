import { Devnet } from '@waggle/devnet';
import { differencesFromReadme, documentedMetrics, Random, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { type IndexerConfig } from '../../src/config';
import { DelegationUnderTest } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';
import { RandomChain } from '../support/random-chain';
import { type StoredState, storedState } from '../support/stored-state';

/** Whose lists are compared. */
const accounts = [
  'alice',
  'bob',
  'carol',
  ...(isLong ? ['dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'] : []),
];

describe('starting from the current state of a node', () => {
  let devnet: Devnet;
  let chain: RandomChain;
  const services: DelegationUnderTest[] = [];
  const indexers: IndexerUnderTest[] = [];
  /** Produces blocks while the work runs; not forever, since a busy machine might never catch up. */
  const moving = async (work: () => Promise<void>) => {
    let blocks = 0;
    const ticker = setInterval(() => {
      if (blocks < 400) chain.live(1);
      // These blocks become irreversible, as on a chain that continues.
      else devnet.makeIrreversible();
      blocks += 1;
    }, 15);
    await work().finally(() => {
      clearInterval(ticker);
    });
  };
  const index = async (changes: Partial<IndexerConfig>) => {
    const service = await DelegationUnderTest.start();
    services.push(service);
    const indexer = await IndexerUnderTest.start(service.database.url, devnet.urls, changes);
    indexers.push(indexer);
    return { service, indexer };
  };
  const status = async (service: DelegationUnderTest) => {
    const { text } = await service.get('/api/deleg/status');
    return JSON.parse(text) as Record<string, unknown>;
  };

  beforeEach(async () => {
    devnet = await Devnet.start({ unsigned: true });
    chain = new RandomChain(devnet, new Random(11));
    chain.live(150);
  });
  afterEach(async () => {
    for (const indexer of indexers.splice(0)) await indexer.stop();
    for (const service of services.splice(0)) await service.stop();
    await devnet.stop();
  });

  it('ends in the same state as from the first block while blocks are produced, before and after a backfill', async () => {
    // Pages of three, each read at another block.
    devnet.node.misbehave({ slowMs: 10 });
    const late = await index({ startFrom: 'current-state', pageSize: 3 });
    await moving(async () => {
      expect((await late.service.get('/api/deleg/in?account=bob')).status).toBe(503);
      expect(await status(late.service)).toMatchObject({ ready: false });
      await until(async () => (await late.service.get('/health/ready')).status === 200);
    });
    devnet.node.behave();
    const { as_of_from_block: asOfFrom, history_from_block: historyFrom } = await status(late.service);
    const first = await index({ startFrom: 'first-block' });
    chain.live(50);
    devnet.makeIrreversible();
    let head = devnet.chain.head.number;
    await late.indexer.reached(head);
    await first.indexer.reached(head);
    const url = late.service.database.url;
    expect(await storedState(url)).toEqual(await storedState(first.service.database.url, Number(historyFrom)));
    // Blocks were produced while the node was read.
    expect(Number(asOfFrom)).toBeGreaterThan(Number(historyFrom) + 45);
    /** @param since the block where the history of the first begins */
    const expectSame = async (account: string, block: number, since = 0) => {
      for (const path of ['account', 'in', 'out', 'history/in', 'history/out']) {
        const query = `/api/deleg/${path}?account=${account}&as_of_block=${block}`;
        const [one, other] = [await late.service.get(query), await first.service.get(query)];
        // Ids of delegations depend on when the indexer reads them.
        const known = path.startsWith('history') ? changesSince(other.text, since) : other.text;
        expect([query, withoutIds(one.text)]).toEqual([query, withoutIds(known)]);
      }
    };
    for (const account of accounts) {
      for (const block of [Number(asOfFrom), Number(asOfFrom) + 7, head - 20, head])
        await expectSame(account, block, Number(historyFrom));
    }
    const before = await late.service.get(`/api/deleg/in?account=bob&as_of_block=${Number(asOfFrom) - 1}`);
    expect([before.status, JSON.parse(before.text)]).toMatchObject([
      404,
      { code: 'before-history', message: `as_of_block: what was before block ${String(asOfFrom)} is not known` },
    ]);

    // A backfill reads in parallel, shows the history when it is complete, and resumes after a restart.
    await indexers.shift()?.stop();
    const changes = { startFrom: 'current-state', backfills: true, blocksPerBatch: 5 } as const;
    // The node is so slow that the first attempt does not end.
    devnet.node.misbehave({ slowMs: 30 });
    const interrupted = await IndexerUnderTest.start(url, devnet.urls, changes);
    indexers.push(interrupted);
    await until(async () => {
      const { backfill } = await status(late.service);
      return backfill !== null && (backfill as { block: number }).block >= 60;
    });
    // Stops its progress during the checks.
    devnet.node.misbehave({ hangs: true });
    expect(await status(late.service)).toMatchObject({ history_from_block: historyFrom });
    expect((await shownChanges(late.service)).every((id) => id >= Number(historyFrom) * 2 ** 20)).toBe(true);
    await indexers.pop()?.stop();
    await expectPastToLeadToPresent(late.service);
    devnet.node.behave();

    const again = await IndexerUnderTest.start(url, devnet.urls, changes);
    indexers.push(again);
    chain.live(30);
    devnet.makeIrreversible();
    head = devnet.chain.head.number;
    await again.reached(head, 1);
    await first.indexer.reached(head);
    expect(await storedState(url)).toEqual(await storedState(first.service.database.url));
    expect(await status(late.service)).toMatchObject({ history_from_block: 1, as_of_from_block: 0, backfill: null });
    expect(await again.metric('delegation_backfill_ratio')).toBe(1);
    expect(await again.metric('delegation_backfill_mismatches')).toBe(0);
    expect(differencesFromReadme(await again.metrics(), documentedMetrics('delegation'), 'indexer')).toEqual([]);
    for (let block = 0; block <= head; block += isLong ? 13 : 39) await expectSame('alice', block);
  });

  it('does not show incomplete history, but reports it', async () => {
    const { service, indexer } = await index({ startFrom: 'current-state', backfills: true, firstBlock: 60 });
    await moving(async () => {
      await until(async () => (await indexer.metric('delegation_backfill_mismatches')) !== 0);
    });
    expect(indexer.logLines.join('\n')).toContain('earlier history does not lead to the loaded delegations');
    const { history_from_block: historyFrom, backfill } = await status(service);
    expect([Number(historyFrom) > 60, backfill]).toEqual([true, null]);
    await indexers.pop()?.stop();
    await expectPastToLeadToPresent(service);

    // An earlier first block changes nothing afterwards, which is logged.
    const changes = { startFrom: 'current-state', backfills: true, firstBlock: 1 } as const;
    const earlier = await IndexerUnderTest.start(service.database.url, devnet.urls, changes);
    indexers.push(earlier);
    await until(() => earlier.logLines.some((line) => line.includes('earlier history does not lead')));
    expect(earlier.logLines.join('\n')).toContain('begin with an empty database');
    expect(await earlier.metric('delegation_backfill_ratio')).toBe(1);
    expect(await status(service)).toMatchObject({ history_from_block: historyFrom });
  });

  it('adds no pending return twice if a cache of the node returns an earlier head than that of its lists', async () => {
    devnet.delegate('alice', 'bob', '50000.000000 VESTS');
    devnet.delegate('alice', 'bob', '40000.000000 VESTS');
    let head: unknown;
    let isCached = false;
    devnet.node.misbehave({
      distort: ({ method }, result) => {
        if (method === 'database_api.get_dynamic_global_properties') return isCached ? head : (head = result);
        // A later page has this return.
        if (method === 'database_api.list_vesting_delegation_expirations' && !isCached) {
          isCached = true;
          devnet.delegate('alice', 'bob', '25000.000000 VESTS');
        }
        return result;
      },
    });
    const { service, indexer } = await index({ startFrom: 'current-state', pageSize: 3 });
    await until(() =>
      indexer.logLines.some((line) => line.includes('waiting until the loaded blocks are irreversible')),
    );
    devnet.node.behave();
    devnet.produceBlocks(30);
    devnet.makeIrreversible();
    await indexer.reached(devnet.chain.head.number);
    const first = await index({ startFrom: 'first-block' });
    await first.indexer.reached(devnet.chain.head.number);
    const { returns } = await storedState(first.service.database.url);
    expect((await storedState(service.database.url)).returns).toEqual(returns);
  });

  it('repeats the load if a block produced during it is undone', async () => {
    devnet.chain.holdIrreversible();
    devnet.delegate('alice', 'bob', '50000.000000 VESTS');
    const { service, indexer } = await index({ startFrom: 'current-state' });
    await until(() =>
      indexer.logLines.some((line) => line.includes('waiting until the loaded blocks are irreversible')),
    );
    devnet.chain.undoBlocks(1);
    devnet.delegate('alice', 'bob', '60000.000000 VESTS');
    devnet.produceBlocks(3);
    devnet.makeIrreversible();
    await indexer.reached(devnet.chain.head.number);
    expect(indexer.logLines.join('\n')).toContain('was undone while the current state was read');
    expect((await service.get('/api/deleg/pair?delegator=alice&delegatee=bob')).text).toContain('"amount":60000,');
  });
});

describe('with several nodes', () => {
  let service: DelegationUnderTest;
  /** Starts from the current state of one of the nodes. @returns its lines of a failed load */
  const load = async (urls: readonly string[], chain: Devnet): Promise<string[]> => {
    const indexer = await IndexerUnderTest.start(service.database.url, urls, { startFrom: 'current-state' });
    try {
      chain.makeIrreversible();
      await indexer.reached(chain.chain.head.number);
    } finally {
      await indexer.stop();
    }
    return indexer.logLines.filter((line) => line.includes('could not be loaded from a node'));
  };
  beforeEach(async () => {
    service = await DelegationUnderTest.start();
  });
  afterEach(() => service.stop());

  it.each([
    ['another chain', { genesisTime: 1_700_000_001 }],
    ['a fork since a recent block', {}],
  ])('loads from another node if most nodes contradict one that follows %s', async (_what, options) => {
    const honest = await Devnet.start({ unsigned: true, nodes: 2 });
    const other = await Devnet.start({ unsigned: true, ...options });
    for (const [each, amount] of [[honest, 50_000] as const, [other, 60_000] as const]) {
      each.produceBlocks(100);
      each.delegate('alice', 'bob', `${amount}.000000 VESTS`);
      each.produceBlocks(10);
      each.makeIrreversible();
    }
    const failures = await load([other.url, ...honest.urls], honest);
    expect((await service.get('/api/deleg/pair?delegator=alice&delegatee=bob')).text).toContain('"amount":50000,');
    expect(failures.map((line) => (JSON.parse(line) as { node: string }).node)).toEqual([new URL(other.url).host]);
    for (const each of [honest, other]) await each.stop();
  });

  it('loads from another node if one does not serve the lists', async () => {
    const both = await Devnet.start({ unsigned: true, nodes: 2 });
    both.node.misbehave({ without: ['database_api'] });
    both.produceBlocks(100);
    expect(await load(both.urls, both)).not.toEqual([]);
    await both.stop();
  });
});

function withoutIds(text: string): string {
  return text.startsWith('[') ? sorted(text.replaceAll(/"id":\d+,/g, '')) : text;
}

/** Sorts items independently of their ids. */
function sorted(text: string): string {
  return (text.match(/\{[^}]*\}/g) ?? []).sort().join('\n');
}

/** The changes of a history since a block. */
function changesSince(text: string, block: number): string {
  const items = (text.match(/\{[^}]*\}/g) ?? []).filter(
    (item) => Number(/"id":(\d+)/.exec(item)?.[1]) >= block * 2 ** 20,
  );
  return `[${items.join(',')}]`;
}

/** The state as of the last block equals the current one, however much of the earlier history is read. */
async function expectPastToLeadToPresent(service: DelegationUnderTest) {
  for (const account of accounts) {
    for (const path of ['account', 'in', 'out']) {
      const now = await service.get(`/api/deleg/${path}?account=${account}`);
      const { text } = await service.get(
        `/api/deleg/${path}?account=${account}&as_of_block=${now.headers['x-synced-block'] ?? ''}`,
      );
      expect([path, account, text]).toEqual([path, account, now.text]);
    }
  }
}

async function shownChanges(service: DelegationUnderTest): Promise<number[]> {
  const ids: number[] = [];
  for (const account of accounts) {
    const { text } = await service.get(`/api/deleg/history/out?account=${account}&limit=1000`);
    ids.push(...(JSON.parse(text) as StoredState['changes']).map(({ id }) => Number(id)));
  }
  return ids;
}
