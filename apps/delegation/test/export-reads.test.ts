import { createTestDatabase, type TestDatabase } from '@waggle/testing';
import { Pool } from 'pg';
import { ExportReads } from '../src/reads/export-reads';

const readMs = 100;

describe('page reads of exports', () => {
  let database: TestDatabase;
  let pool: Pool;
  let reads: ExportReads;
  beforeEach(async () => {
    database = await createTestDatabase();
    pool = new Pool({ connectionString: database.url });
    reads = new ExportReads(pool, { exports: { maxConcurrent: 8, maxDurationMs: 60_000 } });
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
