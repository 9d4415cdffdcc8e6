import { tolerateConnectionErrors } from '@waggle/service';
import { exampleIn, type PostgresServer, provideDatabase, startPostgres } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { migrate } from '../../src/database';
import { LogStore } from '../../src/log/log.store';

/** Connections of an instance of the chat, by their name. */
function connectTo(url: string): Pool {
  const pool = new Pool({ connectionString: url, application_name: 'waggle-chat' });
  tolerateConnectionErrors(pool);
  return pool;
}

describe('a second role, which replaces the first one to change its password', () => {
  let postgres: PostgresServer;
  let administrator: Pool;
  /** Connections of instances with the first and with the second role. */
  const pools: Pool[] = [];
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    const first = new URL(await provideDatabase(postgres, 'chat'));
    await migrate(first.href);
    administrator = connectTo(postgres.url('chat'));
    await administrator.query(exampleIn('docs/runbooks/README.md', 'Change a password'));
    const second = new URL(first);
    [second.username, second.password] = ['chat_2', 'change-me'];
    for (const { href } of [first, second]) pools.push(connectTo(href));
  });
  afterAll(async () => {
    for (const pool of [administrator, ...pools]) await pool.end();
    await postgres.stop();
  });

  it.each([
    ['the second', 0, 1],
    ['the first', 1, 0],
  ])('instances with %s role see the running transactions of the others', async (_which, writer, reader) => {
    const [writing, reading] = [pools[writer], pools[reader]];
    if (writing === undefined || reading === undefined) throw new Error('there are two roles');
    const client = await writing.connect();
    try {
      await client.query('BEGIN');
      // Longer than the readers wait for transactions that they cannot see yet.
      const { rows } = await client.query<{ began: Date }>('SELECT now() AS began, pg_sleep(0.1)');
      // Otherwise the readers would skip what it commits.
      expect((await new LogStore(reading).findCompleteUntil()).getTime()).toBeLessThan(Number(rows[0]?.began));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('creates tables that belong to the first role, which then cannot connect', async () => {
    await pools[1]?.query('CREATE TABLE made ()');
    const owner = await administrator.query(`SELECT tableowner FROM pg_tables WHERE tablename = 'made'`);
    expect(owner.rows).toEqual([{ tableowner: 'chat' }]);
    await administrator.query('ALTER ROLE chat NOLOGIN');
    const connects = pools.map(async ({ options }) => {
      const client = new Client(options);
      await client.connect();
      await client.end();
    });
    expect(await Promise.allSettled(connects)).toMatchObject([
      { status: 'rejected', reason: { code: '28000' } },
      { status: 'fulfilled' },
    ]);
  });
});
