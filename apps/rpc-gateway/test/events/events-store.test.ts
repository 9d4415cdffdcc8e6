import { declaredStatements } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { Pool } from 'pg';
import { EventStore } from '../../src/events/events.store';
import { initializeIndexState } from '../../src/index-state/index-state';
import { firstNotificationId, notificationId } from '../../src/notifications/notification-id';
import { freshDatabase } from '../support/index-under-test';

const begin = new Date('2025-01-01T00:00:00Z');
const after = firstNotificationId(begin);
const accounts = Array.from({ length: 1_000 }, (_, number) => `reader-${number + 1}`);

describe('the missed events of a thousand accounts', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await freshDatabase();
    pool = new Pool({ connectionString: database.url, max: 1 });
    await initializeIndexState(pool, {
      begins: begin,
      firstBlock: 1,
      notificationDays: 90,
      notificationsFrom: begin,
    });
    await pool.query(`INSERT INTO account (id, name, followers, following, last_read, has_posting_profile)
      SELECT number, 'reader-' || number, 0, 0, now(), false FROM generate_series(1, 1000) number`);
  });
  afterEach(() => pool.query('DELETE FROM notification'));
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** One notification per second. @param recipient an SQL expression of the second */
  async function notify(count: number, recipient: string): Promise<void> {
    const first = notificationId(begin, 'vote', 0);
    await pool.query(`INSERT INTO notification (id, recipient_id, score)
      SELECT ${first} + (second::bigint << 28), ${recipient}, 50 FROM generate_series(0, ${count - 1}) second`);
    await pool.query('ANALYZE notification, account');
  }

  it.each([
    ['all equally often', '1 + second % 1000'],
    ['a few of them more often', 'CASE WHEN second % 3 = 0 THEN 1 + second % 1000 ELSE 1 + second % 7 END'],
    ['one of them most often', 'CASE WHEN second % 2 = 0 THEN 1 ELSE 1 + second % 1000 END'],
  ])('are read once and in order if they were sent to %s', async (_which, recipient) => {
    await notify(3_250, recipient);
    const store = new EventStore(pool);
    const read: bigint[] = [];
    const pages: number[] = [];
    for (let isFull = true; isFull;) {
      const page = await store.findOfAccounts(accounts, read.at(-1) ?? after);
      read.push(...(page?.events ?? []).map(({ id }) => id));
      pages.push(page?.events.length ?? 0);
      isFull = page?.isFull === true;
    }
    expect(read).toEqual(Array.from({ length: 3_250 }, (_, second) => (read[0] ?? 0n) + (BigInt(second) << 28n)));
    expect(pages).toEqual([500, 500, 500, 500, 500, 500, 250]);
  });

  it.each([
    ['all equally often', '1 + second % 1000'],
    ['one of them, and others', 'CASE WHEN second % 2 = 0 THEN 1 ELSE 1001 + second % 20000 END'],
  ])('are a small part of what is read if they were sent to %s', async (_which, recipient) => {
    await notify(100_000, recipient);
    const { text = '' } = declaredStatements().find(({ name }) => name === 'events-of-accounts-after') ?? {};
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [accounts, after],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    expect(plan?.['Actual Rows']).toBe(500);
    expect(plan && notificationsRead(plan)).toBeLessThan(33_000);
  });
});

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

function notificationsRead({ Plans: plans = [], ...node }: PlanNode): number {
  const own = node['Relation Name'] === 'notification' ? node['Actual Rows'] * node['Actual Loops'] : 0;
  return plans.reduce((sum, plan) => sum + notificationsRead(plan), own);
}
