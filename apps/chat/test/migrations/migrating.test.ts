import { migrate } from '@waggle/service';
import { Client } from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { chatDatabase } from '../../src/database';
import { ChatUnderTest } from '../support/chat-under-test';

/** The maximum delay by a migration, which gives up waiting for a lock after 1 s. */
const waitMostMs = 3_500;

/** Repeats the work until it is stopped. @returns the longest duration, in milliseconds */
async function allTheTime(work: (n: number) => Promise<void>, signal: AbortSignal): Promise<number> {
  let longestMs = 0;
  for (let n = 1; !signal.aborted; n += 1) {
    const sinceMs = performance.now();
    await work(n);
    longestMs = Math.max(longestMs, performance.now() - sinceMs);
  }
  return longestMs;
}

class AddMood1999000000000 implements MigrationInterface {
  readonly name = 'AddMood1999000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE conversation ADD COLUMN mood text NOT NULL DEFAULT 'calm'`);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE conversation DROP COLUMN mood');
  }
}

describe('the next migration, beside this version', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const migrateOn = async () => {
    // A long timeout of connections, since the machine may be busy.
    const settings = { url: chat.database.url, poolSize: 2, isMigration: true, connectTimeoutMs: 60_000 };
    const options = chatDatabase(settings);
    return migrate({ ...options, migrations: [...Object.values(options.migrations ?? {}), AddMood1999000000000] });
  };

  it('gives up waiting for a lock, so that nothing waits behind it, and can be run again', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');
    await alice.say(id, 'before it');
    // What the migration waits for: a transaction that read the table and does not end.
    const reader = new Client({ connectionString: chat.database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM conversation');
    const ending = new AbortController();
    const working = Promise.all([
      allTheTime(async (n) => {
        await alice.say(id, `number ${n}`, 2 * waitMostMs);
      }, ending.signal),
      // Several, so that one runs at the same time as the migration.
      ...Array.from({ length: 6 }, () =>
        allTheTime(async () => {
          expect(await alice.history(id)).not.toEqual([]);
        }, ending.signal),
      ),
    ]);
    await expect(migrateOn()).rejects.toThrow('lock timeout');
    await reader.query('COMMIT');
    await reader.end();
    expect(await migrateOn()).toEqual(['AddMood1999000000000']);
    await alice.say(id, 'afterwards');
    ending.abort();
    for (const longestMs of await working) expect(longestMs).toBeLessThan(waitMostMs);
  });
});
