import { migrate as migrateBy, newIdentifier } from '@waggle/service';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { chatDatabase, migrate } from '../src/database';
import { ChatUnderTest } from './chat-under-test';

/** Somebody waits at most so long while a migration runs: it gives up its wait for a lock after 1 s. */
const waitMostMs = 3_500;

/** The migrations of the chat up to the one of that name, without it. */
function before(url: string, name: string) {
  const options = chatDatabase({ url, poolSize: 2, unhurried: true });
  const all = Object.values(options.migrations ?? {});
  const end = all.findIndex((migration) => typeof migration === 'function' && migration.name === name);
  if (end < 0) throw new Error(`no migration ${name}`);
  return { ...options, migrations: all.slice(0, end) };
}

/** Does the work one after another until it is told to end. @returns the longest time that one took, in milliseconds */
async function allTheTime(work: (n: number) => Promise<void>, signal: AbortSignal): Promise<number> {
  let longestMs = 0;
  for (let n = 1; !signal.aborted; n += 1) {
    const sinceMs = performance.now();
    await work(n);
    longestMs = Math.max(longestMs, performance.now() - sinceMs);
  }
  return longestMs;
}

describe('a migration of a database with data, while the former version writes and reads', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateBy(before(database.url, 'KeepMarksOfGroups1764100000000'));
    pool = new Pool({ connectionString: database.url, max: 4 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** As the version before the migration made a group. */
  const makeGroup = async (creator: string, mark: string) => {
    const id = newIdentifier();
    await pool.query(
      `INSERT INTO conversation (id, type, creator, client_id, last_seq, changed_seq) VALUES ($1, 'group', $2, $3, 1, 1)`,
      [id, creator, mark],
    );
    const told = [{ type: 'conversation-created', payload: { id, creator }, to: [creator] }];
    await pool.query('INSERT INTO event (stream, seq, at, told) VALUES ($1, 1, now(), $2)', [id, JSON.stringify(told)]);
    await pool.query('INSERT INTO member (conversation_id, account) VALUES ($1, $2)', [id, creator]);
    return id;
  };
  /** As that version stored a message. */
  const write = async (id: string, content: string) => {
    await pool.query(
      `WITH place AS (
         UPDATE conversation SET last_seq = last_seq + 1, last_message_at = clock_timestamp() WHERE id = $1 RETURNING last_seq
       )
       INSERT INTO message (conversation_id, seq, id, sender, content, sent_at)
       SELECT $1, last_seq, $2, 'alice', $3, clock_timestamp() FROM place`,
      [id, newIdentifier(), content],
    );
  };

  it('fails nothing, holds up nobody for long, keeps the data, and the new version serves them', async () => {
    const groups: string[] = [];
    for (let n = 0; n < 200; n += 1) groups.push(await makeGroup('alice', `mark-${n}`));
    const [first = ''] = groups;
    const ending = new AbortController();
    await write(first, 'before it');
    let written = 1;
    const former = [
      allTheTime(async (n) => {
        await write(groups[n % groups.length] ?? first, `number ${n}`);
        written += 1;
      }, ending.signal),
      allTheTime(async (n) => {
        await makeGroup('alice', `later-${n}`);
      }, ending.signal),
      allTheTime(async () => {
        const { rowCount } = await pool.query(
          'SELECT seq, content FROM message WHERE conversation_id = $1 AND deleted_at IS NULL ORDER BY sent_at DESC LIMIT 50',
          [first],
        );
        if (rowCount === null) throw new Error('nothing was read');
      }, ending.signal),
    ];
    expect(await migrate(database.url)).toContain('KeepMarksOfGroups1764100000000');
    // It goes on beside the new one, on the new tables.
    const soFar = written;
    await until(() => written >= soFar + 20);
    ending.abort();
    for (const longestMs of await Promise.all(former)) expect(longestMs).toBeLessThan(waitMostMs);

    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM message');
    expect(Number(rows[0]?.count)).toBe(written);
    const chat = await ChatUnderTest.start({}, { ...database, drop: () => Promise.resolve() });
    const alice = await chat.instance.join('alice');
    expect((await alice.wholeHistory(first)).map(({ content }) => content)).toContain('before it');
    await alice.say(first, 'by the new version');
    await chat.stop();
  });
});

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
    const options = chatDatabase({ url: chat.database.url, poolSize: 2, unhurried: true });
    return migrateBy({ ...options, migrations: [...Object.values(options.migrations ?? {}), AddMood1999000000000] });
  };

  it('gives up when it would wait for long, so that nobody waits behind it, and is run again', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');
    await alice.say(id, 'before it');
    // What the migration waits for: a transaction that has read the table and does not end.
    const reader = new Client({ connectionString: chat.database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM conversation');
    const ending = new AbortController();
    const working = Promise.all([
      allTheTime(async (n) => {
        await alice.say(id, `number ${n}`, 2 * waitMostMs);
      }, ending.signal),
      // Several, so that one asks in the same moment as the migration.
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
