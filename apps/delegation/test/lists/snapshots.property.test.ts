import { Random, type TestDatabase } from '@waggle/testing';
import { Pool } from 'pg';
import { delegationJson } from '../../src/delegations/delegations.formats';
import { DelegationsStore } from '../../src/delegations/delegations.store';
import { HistoryStore } from '../../src/history/history.store';
import { firstChangeId } from '../../src/index-state/change-id';
import { type Order } from '../../src/lists/order';
import { pageOf } from '../../src/lists/page';
import { type Snapshot } from '../../src/lists/snapshot';
import { ExportReads } from '../../src/reads/export-reads';
import { SharedReads } from '../../src/reads/shared-reads';
import { freshDatabase } from '../support/delegation-under-test';
import { Feed } from '../support/feed';
import { Model } from '../support/model';
import { RandomHistory } from '../support/random-history';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const blockCount = 600;
const directions = ['in', 'out'] as const;

describe(`lists as of a block, read page by page while blocks are applied (SEED=${seed})`, () => {
  const random = new Random(seed);
  const history = new RandomHistory(random, 10);
  const blocks = history.blocks(blockCount);
  const model = new Model(blocks);
  let database: TestDatabase;
  let pool: Pool;
  let reads: SharedReads;
  let feed: Feed;
  let delegations: DelegationsStore;
  let changes: HistoryStore;
  let applied = 0;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = new Pool({ connectionString: database.url });
    const config = {
      database: { url: database.url, poolSize: 2 },
      exports: { maxConcurrent: 1, maxDurationMs: 60_000 },
    };
    reads = new SharedReads(config);
    const exportReads = new ExportReads(pool, config);
    delegations = new DelegationsStore(pool, reads, exportReads, config.database);
    changes = new HistoryStore(pool, reads, exportReads);
    feed = await Feed.into(database.url);
    await feed.begin();
    await apply(100);
  });
  afterAll(async () => {
    await feed.close();
    await reads.onApplicationShutdown();
    await pool.end();
    await database.drop();
  });

  const apply = async (count: number) => {
    await feed.apply(blocks.slice(applied, applied + count));
    applied = Math.min(applied + count, blockCount);
  };

  /** Reads a list in small pages, and applies blocks before each. */
  const readWhole = async <Item>({ read }: Snapshot<Item>, order: Order): Promise<Item[]> => {
    const items: Item[] = [];
    let page = { ...pageOf({ account: '' }, order, 1 + random.below(3)), readOrder: order };
    for (;;) {
      await apply(random.below(4));
      const part = await read(page);
      expect(part.items.length).toBeLessThanOrEqual(page.limit);
      items.push(...part.items);
      if (part.readTo === undefined) return items;
      page = { ...page, ...(order === 'ascending' ? { after: part.readTo } : { before: part.readTo }) };
    }
  };

  it('equal those of the model', async () => {
    let reading = 0;
    while (applied < blockCount) {
      const [account, direction] = [random.pick(history.accounts), random.pick(directions)];
      const current = await delegations.snapshot(direction, account, undefined);
      const items = await readWhole(current, 'ascending');
      expect(items.map(delegationJson)).toEqual(model.current(direction, account, current.position.syncedBlock));

      const order: Order = random.chance(0.5) ? 'ascending' : 'descending';
      const past = await changes.snapshot(direction, account, undefined);
      const ids = (await readWhole(past, order)).map(({ id }) => id);
      const expected = model
        .history(direction, account, past.position.syncedBlock)
        .map((text) => /\d+/.exec(text)?.[0]);
      expect(ids).toEqual(order === 'ascending' ? expected : expected.toReversed());
      reading += 1;
    }
    expect(reading).toBeGreaterThan(10);
  });

  it('do not show earlier history that a concurrent backfill completes', async () => {
    await apply(blockCount);
    await pool.query('UPDATE index_state SET history_from = 300');
    const snapshot = await changes.snapshot('in', history.accounts[0] ?? '', undefined);
    await pool.query('UPDATE index_state SET history_from = 1');
    const items = await readWhole(snapshot, 'descending');
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ id }) => Number(id) >= firstChangeId(300))).toBe(true);
  });

  it('are aborted if the database lacks the block, such as another replica', async () => {
    const account = history.accounts[0] ?? '';
    const snapshots = [
      await delegations.snapshot('in', account, undefined),
      await delegations.snapshot('in', account, 100),
      await changes.snapshot('in', account, undefined),
    ];
    await pool.query('UPDATE index_state SET synced_block = synced_block - 1');
    for (const { read } of snapshots) {
      await expect(read(pageOf({ account }, 'ascending', 1))).rejects.toMatchObject({ code: 'unavailable' });
    }
  });
});
