import { Readable } from 'node:stream';
import { capability, erasure, erasureText } from '@waggle/contracts';
import { devnetKeys } from '@waggle/devnet';
import { createLogger, declaredStatements, inTransaction, Registry } from '@waggle/service';
import { type TestDatabase, withDatabase } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import { Pool } from 'pg';
import { RetentionService } from '../../src/retention/retention.service';
import { RetentionStore } from '../../src/retention/retention.store';
import { CatchUpStore } from '../../src/log/catch-up.store';
import { LogStore } from '../../src/log/log.store';
import { Eraser } from '../../src/erasure/eraser';
import { postponeErasure } from '../../src/erasure/erasure.statements';
import { exportErasures, replayErasures } from '../../src/erasure/erasure-log';
import { AdoptedTimeline } from '../../src/log/adopted-timeline';
import { TimelineStore } from '../../src/log/timeline.store';
import { queueReindex } from '../../src/search/search-edit.entity';
import { SearchIndexStore } from '../../src/search/search-index.store';
import { SearchStore } from '../../src/search/search.store';
import { type ChatInstance, ChatUnderTest, freshDatabase } from '../support/chat-under-test';
import { freshTs, sign } from '../support/login-path';
import { performAllActions } from './every-action';
import { fillDatabase, type KnownConversations } from './large-database';
import { type Execution } from './plan';
import { explainingUrl, PlanRecorder, planModes, type PlanMode } from './plan-recorder';
import { findRepositoryCalls } from './repository-calls';
import { findingsIn as findFindings, type Finding } from './rules';
import { writeSizes } from './table-sizes';

/** The beginnings of the statements that TypeORM generates, by the method that runs them. */
const typeOrmStatements: Record<string, RegExp> = {
  'SessionsStore.create': /^INSERT INTO "session"/,
  'SessionsStore.confirmKey': /^UPDATE "session" SET "key_confirmed_at"/,
  'SessionsStore.renew': /^UPDATE "session" SET "renewed_at"/,
  'SessionsStore.revoke': /^UPDATE "session" SET "revoked_at"/,
  'SessionsStore.revokedWithin': /^SELECT .* FROM "session" .*"revoked_at" > /,
};

/** Exceptions to the rules, by statement, with their reasons. */
const exceptions: Record<string, Partial<Record<Finding['rule'], string>>> = {
  acknowledge: {
    pages: 'Counts up to 1,000 messages that stay unread, some of them on pages that changed since the last vacuum.',
  },
  'conversation-of-message': {
    parts: 'A client that deletes names the message alone, so the index of each part is asked: 2 to 4 pages each.',
  },
  'conversations-of-account': {
    removed:
      'A further page of a list in the order of what every message changes: an index by it would be written as often.',
    pages: 'As above.',
  },
  'mentions-of-account': {
    pages: 'Looks for mentions in each conversation of the account: two searches of an index each.',
  },
  'unread-counts-of-account': {
    pages: 'Counts in each conversation of the account that has unread entries, and returns one row.',
    sorted: 'As above: conversations that are found twice are counted once.',
  },
  'content-lines': {
    removed: "Looks through a range of the conversation for what is the account's own, if only in an index.",
    pages: 'As above.',
    parts: 'Looks for messages, and for the senders of former texts.',
  },
  'dms-of-account': {
    removed: 'When a setting changes, of all conversations of the account; those that are dms are written besides.',
  },
  'entries-of-streams': {
    pages: 'Looks into each stream that lacks entries; in the filled database some of them have none.',
  },
  'acknowledgments-since': {
    removed:
      'An index by time would be written at every acknowledgment, in place of this look through rows that resuming reads in any case.',
    pages: 'As above.',
  },
  'receipts-since': {
    removed: 'Of all conversations of the account, for the same reason as acknowledgments-since.',
    pages: 'As above.',
  },
  'erase-messages': {
    removed: 'Looks through a range of the conversation for messages of the account, if only in an index.',
    pages: 'As above.',
  },
  'erase-traces': {
    removed: 'Looks through a range of the conversation for what concerns the account.',
    pages: 'As above.',
  },
  'messages-to-index': { pages: 'Looks into each conversation, also if it has nothing new.' },
  'search-blocks': {
    pages: 'Looks into each conversation of the account; few have the words.',
    removed: 'As above, and leaves out the blocks without the words.',
  },
};

/** Statements for connections and migrations, and for timeouts, which read no table. */
const withoutTables = new Set([
  'backend',
  'timeouts-of-role',
  'lock-migrations',
  'set-search-timeout',
  'clear-search-index',
]);

const statements = [
  ...declaredStatements()
    .filter(({ name }) => !withoutTables.has(name))
    .map(({ name, text }) => ({ name, isText: (executed: string) => executed === text })),
  ...findRepositoryCalls().map((name) => ({
    name,
    isText: (executed: string) => typeOrmStatements[name]?.test(executed) === true,
  })),
];

/** Returns the names of the statements with this text. */
const namesOf = cached((text: string) => statements.filter(({ isText }) => isText(text)).map(({ name }) => name));

const findingsIn = cached(findFindings);

/** In the short form only the plans of prepared statements, which are for all values and cannot fit single ones. */
const modes = planModes.filter((mode) => isLong || mode === 'generic');

describe('the queries on a large database', () => {
  const executions: Record<PlanMode, Execution[]> = { custom: [], generic: [] };
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    const known = await fillDatabase(database);
    if (process.env['WRITE_TABLE_SIZES'] === 'true') await writeSizes(database.url);
    const recorder = new PlanRecorder();
    // Every renewal checks the key.
    const keyChecks = { confirmationMs: -1, graceMs: 0 };
    const chat = await ChatUnderTest.start(
      { database: { url: explainingUrl(database.url, modes[0] ?? 'generic') }, keyChecks },
      database,
    );
    try {
      for (const [i, mode] of modes.entries()) {
        const url = explainingUrl(database.url, mode);
        const instance = i === 0 ? chat.instance : await chat.addInstance({ database: { url }, keyChecks });
        recorder.take();
        await performAllActions(instance, known);
        await eraseAccount(instance, database, url, known, i === 0 ? 'dave' : 'erin');
        await runBackgroundWork(url, known, 160 - 2 * i);
        await recorder.received(['FROM commit_log CROSS JOIN', '"revoked_at" > now()']);
        executions[mode] = recorder.take();
        await instance.stop();
      }
    } finally {
      recorder.end();
      await chat.stop();
    }
  });

  it('execute every statement of the sources, and no other', () => {
    for (const mode of modes) {
      const missing = statements.filter(({ isText }) => !executions[mode].some(({ text }) => isText(text)));
      expect(missing.map(({ name }) => name)).toEqual([]);
      const unexpected = executions[mode].filter(({ text }) => namesOf(text).length === 0 && touchesTables(text));
      expect(unexpected.map(({ text }) => text)).toEqual([]);
    }
  });

  it.each(modes)('neither scan tables nor read much more than they return: %s plans', (mode) => {
    const found = executions[mode].flatMap(({ text, plan }) =>
      findingsIn(plan).flatMap(({ rule, what }) =>
        namesOf(text)
          .filter((name) => exceptions[name]?.[rule] === undefined)
          .map((name) => `${name} ${what} (${rule})`),
      ),
    );
    expect([...new Set(found)].sort()).toEqual([]);
  });

  // Some are needed by plans for single values.
  longTest('need every listed exception', () => {
    const needed = new Set(
      planModes.flatMap((mode) =>
        executions[mode].flatMap(({ text, plan }) =>
          findingsIn(plan).flatMap(({ rule }) => namesOf(text).map((name) => `${name} ${rule}`)),
        ),
      ),
    );
    const given = Object.entries(exceptions).flatMap(([name, rules]) =>
      Object.keys(rules).map((rule) => `${name} ${rule}`),
    );
    expect(given.filter((each) => !needed.has(each))).toEqual([]);
  });
});

/** Computes each value once, since the tests need it for thousands of executions. */
function cached<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? compute(key);
    values.set(key, value);
    return value;
  };
}

/** The service reads the schema when it starts, and runs `SELECT 1` to check whether it is ready. */
function touchesTables(text: string): boolean {
  return !/"?(information_schema|migration)"?|version\(\)|set_config\(|current_schema\(\)|^SELECT 1$/.test(text);
}

/** Erases an account that has something of everything, and repeats the erasure. */
async function eraseAccount(
  instance: ChatInstance,
  database: TestDatabase,
  url: string,
  { large }: KnownConversations,
  account: string,
) {
  const user = await instance.join(account, capability.options);
  const { id } = await user.say(large, `@${account}, nectar`);
  await user.socket.request('add-reaction', { id, emoji: '🐝' }, 'reactions-changed');
  await user.open('bob', 'nectar');
  await user.socket.request('request-friendship', { username: 'bob' }, 'friendship-requested');
  const ts = String(freshTs());
  const body = { ts, sig: sign(erasureText(account, ts), devnetKeys(account).posting.wif) };
  await user.postJson('/users/erase', body, erasure);
  const eraser = instance.provided(Eraser);
  await withDatabase(database.url, async (client) => {
    const isPending = async () =>
      (await client.query('UPDATE erasure SET next_at = now() WHERE account = $1 AND finished_at IS NULL', [account]))
        .rowCount === 1;
    while (await isPending()) await eraser.eraseBatch(account);
  });
  await withDatabase(url, (client) => postponeErasure.execute(client, { account }));
  const log: string[] = [];
  for await (const line of exportErasures(url)) log.push(line);
  await replayErasures(url, Readable.from(log));
}

/** Does the background work of an instance: reads many missed and deferred entries, and deletes old data. */
async function runBackgroundWork(url: string, { large: stream, wiped }: KnownConversations, messageDays: number) {
  const pool = new Pool({ connectionString: url });
  const logStore = new LogStore(pool);
  await logStore.findEntries([{ stream, seq: 100 }]);
  await logStore.findSubscribed('alice', [{ stream, seq: 100 }]);
  await new TimelineStore(pool, new AdoptedTimeline()).lacksAny([{ stream, seq: 100 }]);
  const index = new SearchIndexStore(pool);
  await inTransaction(pool, async (client) => {
    // The instance may have the lease.
    await index.lease(client, 'test');
    await index.indexNext(client, [stream, ...(await index.findConversations(client, '', 20))]);
    // Its messages from here on are deleted.
    await queueReindex.execute(client, { conversationId: wiped, seq: 51_000, revision: messageDays });
    await index.indexEdited(client);
    // A busy machine may reach these only after the actions.
    await index.saveProgress(client, { indexedUntil: new Date(), builtTo: null });
    await new SearchStore().readMessages(client, [{ conversationId: stream, seq: 100, sentAtMs: 0 }]);
  });
  await index.release('test');
  await new CatchUpStore(pool).findPage([{ stream, from: 100, to: 199 }], 1e6);
  const logger = createLogger('chat', 'silent');
  await new RetentionService(new RetentionStore(), new Registry(), pool, { messageDays }, logger).sweep();
  await pool.end();
}
