import { HiveClient } from '@waggle/chain';
import { Pool } from 'pg';
import { localMethods } from '../../src/local/local-methods';
import { createSources } from '../../src/local/declaration/sources';
import { IndexUnderTest } from '../support/index-under-test';
import { act, create, follow } from '../support/operations';

const bees = 'hive-100001';

describe('statements whose best plan depends on the account', () => {
  let index: IndexUnderTest;
  let pool: Pool;
  let hive: HiveClient;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.apply([create('alice'), create('bob'), create('carol'), create(bees)]);
    await index.apply([follow('alice', 'bob'), follow('alice', 'carol', 'ignore'), act('alice', 'subscribe', bees)]);
    pool = new Pool({ connectionString: index.database.url, max: 1 });
    // Not used: the accounts are indexed.
    hive = new HiveClient({ urls: ['http://127.0.0.1:1'] });
  });
  afterAll(async () => {
    await pool.end();
    await hive.close();
    await index.stop();
  });

  it.each([
    ['condenser_api.get_followers', ['bob'], 'ORDER BY a.name'],
    ['condenser_api.get_following', ['alice'], 'ORDER BY a.name'],
    ['bridge.get_follow_list', ['alice', 'muted'], 'ORDER BY a.name'],
    ['bridge.list_subscribers', { community: bees }, 'ORDER BY a.name'],
  ])('are planned for the account: %s', async (method, params, part) => {
    const sources = createSources(pool, hive);
    // From the sixth execution on PostgreSQL may choose a generic plan.
    for (let time = 0; time < 10; time += 1)
      expect(await localMethods.get(method)?.prepare(params, false, sources).run()).toHaveLength(1);
    const { rows } = await pool.query(
      'SELECT name FROM pg_prepared_statements WHERE generic_plans > 0 AND strpos(statement, $1) > 0',
      [part],
    );
    expect(rows).toEqual([]);
  });
});
