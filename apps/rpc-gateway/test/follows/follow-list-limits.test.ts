import { HiveClient } from '@waggle/chain';
import { responsesTooLong } from '@waggle/contracts';
import { Pool } from 'pg';
import { followLists } from '../../src/follows/follow-lists';
import { localMethods } from '../../src/local/local-methods';
import { createSources } from '../../src/local/declaration/sources';
import { IndexUnderTest } from '../support/index-under-test';
import { create, follow } from '../support/operations';

const maxAccounts = 100_000;
/** Accounts whose descriptions of 1 KiB fit into a response. */
const maxDescribed = 8 * 1024;

describe('long follow lists', () => {
  let index: IndexUnderTest;
  let pool: Pool;
  let hive: HiveClient;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.apply([create('alice')]);
    // One connection, so that its counters count only the calls.
    pool = new Pool({ connectionString: index.database.url, max: 1 });
    // Not used: the accounts are indexed.
    hive = new HiveClient({ urls: ['http://127.0.0.1:1'] });
    await pool.query(
      `INSERT INTO account (id, name, followers, following, last_read, has_posting_profile, posting_muted_list_description)
       SELECT 1000 + n, 'bee-' || lpad(n::text, 6, '0'), 0, 0, now(), true, CASE WHEN n <= $2 THEN repeat('🐝', 256) END
       FROM generate_series(0, $1) n`,
      [maxAccounts, maxDescribed],
    );
    await pool.query(
      `INSERT INTO follow (follower_id, following_id, lists)
       SELECT alice.id, bee.id, $1 FROM account alice, account bee WHERE alice.name = 'alice' AND bee.name <> 'alice'`,
      [followLists.ignores],
    );
    // As on the chain, most lists are short.
    await pool.query(
      `INSERT INTO follow (follower_id, following_id, lists)
       SELECT bee.id, last.id, $1 FROM account bee, account last
       WHERE bee.name BETWEEN 'bee-000000' AND 'bee-020000' AND last.name = 'bee-100000'`,
      [followLists.follows],
    );
    await pool.query('ANALYZE');
  });
  afterAll(async () => {
    await pool.end();
    await hive.close();
    await index.stop();
  });

  const list = (type: string) =>
    localMethods.get('bridge.get_follow_list')?.prepare(['alice', type], false, createSources(pool, hive)).run();
  const setLists = (lists: number, lastName: string) =>
    pool.query('UPDATE follow SET lists = $1 WHERE following_id IN (SELECT id FROM account WHERE name <= $2)', [
      lists,
      lastName,
    ]);
  /** The number of rows of a table that PostgreSQL read. */
  const rowsRead = async (table: string) => {
    const flush = 'SELECT pg_stat_force_next_flush()';
    await pool.query(flush);
    await index.execute(flush);
    const { rows } = await pool.query<{ count: string }>(
      'SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_user_tables WHERE relname = $1',
      [table],
    );
    return Number(rows[0]?.count);
  };

  it('do not slow down an empty list of the same account', async () => {
    const before = await rowsRead('account');
    expect(await list('blacklisted')).toEqual([]);
    expect((await rowsRead('account')) - before).toBeLessThan(10);
  });

  it('are not read when the account resets an empty list', async () => {
    const before = await rowsRead('follow');
    await index.apply([follow('alice', '', 'reset_blacklist')]);
    expect((await rowsRead('follow')) - before).toBeLessThan(10);
  });

  it('are returned up to 100,000 accounts, sorted by name', async () => {
    await expect(list('muted')).rejects.toEqual(responsesTooLong());
    await setLists(followLists.blacklists, 'bee-000000');
    const accounts = (await list('muted')) as readonly { name: string }[];
    expect(accounts).toHaveLength(maxAccounts);
    expect([accounts[0]?.name, accounts.at(-1)?.name]).toEqual(['bee-000001', 'bee-100000']);
  });

  it('are returned up to 8 MiB of descriptions', async () => {
    await setLists(followLists.followsMuted, 'bee-008192');
    await expect(list('follow_muted')).rejects.toEqual(responsesTooLong());
    await setLists(followLists.ignores, 'bee-000000');
    expect(await list('follow_muted')).toHaveLength(maxDescribed);
  });
});
