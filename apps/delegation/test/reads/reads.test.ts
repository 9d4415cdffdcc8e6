import { isDatabaseUnavailable } from '@waggle/service';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { ExportReads } from '../../src/reads/export-reads';
import { SharedReads, sharedConnections } from '../../src/reads/shared-reads';

const question = (text: string, values: number[] = []) => ({ name: text, text, values });
const doubled = (value: number) => question('SELECT $1::int * 2 AS value', [value]);
const divided = (value: number) => question('SELECT 10 / $1::int AS value', [value]);

describe('connections shared by all reads', () => {
  let database: TestDatabase;
  let admin: Client;
  let reads: SharedReads;
  beforeEach(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    reads = new SharedReads({ database });
  });
  afterEach(async () => {
    await reads.onApplicationShutdown();
    await admin.end();
    await database.drop();
  });

  const others = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => pid);
  };

  it('return each query its own result, even with many pending', async () => {
    const numbers = Array.from({ length: 500 }, (_none, index) => index);
    const results = await Promise.all(
      numbers.map(async (number) => {
        if (number % 7 === 0) await new Promise(setImmediate);
        return (await reads.query(doubled(number))).rows;
      }),
    );
    expect(results).toEqual(numbers.map((number) => [{ value: number * 2 }]));
    expect((await others()).length).toBeLessThanOrEqual(sharedConnections);
  });

  it('isolate a failed query from the others', async () => {
    const results = await Promise.allSettled([divided(5), divided(0), divided(2)].map((each) => reads.query(each)));
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { rows: [{ value: 2 }] } },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'fulfilled', value: { rows: [{ value: 5 }] } },
    ]);
  });

  it('are reopened when they break, which rejects pending queries as `unavailable`', async () => {
    await reads.query(doubled(1));
    const waiting = reads.query(question('SELECT pg_sleep(60)')).catch((error: unknown) => error);
    await until(async () => {
      const { rowCount } = await admin.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      return rowCount === 1;
    });
    const broken = await others();
    for (const pid of broken) await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(isDatabaseUnavailable(await waiting)).toBe(true);
    // The idle connection may end later.
    await until(async () => !(await others()).some((pid) => broken.includes(pid)));
    for (let number = 0; number < 2 * sharedConnections; number += 1) {
      await new Promise(setImmediate);
      expect((await reads.query(doubled(number))).rows).toEqual([{ value: number * 2 }]);
    }
  });

  it('are closed when the service ends', async () => {
    await reads.query(doubled(1));
    await reads.onApplicationShutdown();
    await until(async () => (await others()).length === 0);
  });
});

const readMs = 100;

describe('page reads of exports', () => {
  let database: TestDatabase;
  let pool: Pool;
  let reads: ExportReads;
  beforeEach(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    reads = new ExportReads(pool, { exports: { maxDurationMs: 60_000 } });
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  /** @returns when the database began and ended to read, in milliseconds of its clock */
  const read = async () => {
    const text = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS began, pg_sleep(${readMs / 1_000}),
                         extract(epoch FROM clock_timestamp()) * 1000 AS ended`;
    const { rows } = await reads.query<{ began: string; ended: string }>({ text });
    return { began: Number(rows[0]?.began), ended: Number(rows[0]?.ended) };
  };

  it('run one after another, each followed by a pause of the same length', async () => {
    const [first, second, third] = await Promise.all([read(), read(), read()]);
    expect(second.began - first.ended).toBeGreaterThan(readMs / 2);
    expect(third.began - second.ended).toBeGreaterThan(readMs / 2);
  });

  it('do not pause if no other export waits', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const sinceMs = performance.now();
      await read();
      times.push(performance.now() - sinceMs);
    }
    expect(Math.min(...times)).toBeLessThan(readMs * 1.5);
  });
});
