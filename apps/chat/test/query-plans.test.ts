import { createLogger, declaredStatements, Registry } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { Pool } from 'pg';
import { RetentionMetrics } from '../src/retention/retention.metrics';
import { RetentionService } from '../src/retention/retention.service';
import { RetentionStore } from '../src/retention/retention.store';
import { MissedStore } from '../src/log/missed.store';
import { LogStore } from '../src/log/log.store';
import { AdoptedTimeline } from '../src/log/adopted-timeline';
import { TimelineStore } from '../src/log/timeline.store';
import { ChatUnderTest, freshDatabase } from './chat-under-test';
import { doEverything } from './query-plans/every-action';
import { fillDatabase } from './query-plans/large-database';
import { pagesOf, type Execution } from './query-plans/plan';
import { explainingUrl, PlanRecorder, planModes, type PlanMode } from './query-plans/plan-recorder';
import { documentedPages, statementsInDocument, writeDocument } from './query-plans/plans-document';
import { findRepositoryCalls } from './query-plans/repository-calls';
import { findingsIn as findFindings, type Finding } from './query-plans/rules';
import { describeSizes } from './query-plans/table-sizes';

/** The first words of the statements of TypeORM, by their call. */
const byTypeOrm: Record<string, RegExp> = {
  'SessionsStore.create': /^INSERT INTO "session"/,
  'SessionsStore.confirmKey': /^UPDATE "session" SET "key_confirmed_at"/,
  'SessionsStore.renew': /^UPDATE "session" SET "renewed_at"/,
  'SessionsStore.revoke': /^UPDATE "session" SET "revoked_at"/,
  'SessionsStore.revokedWithin': /^SELECT .* FROM "session" .*"revoked_at" > /,
  'SettingsService.get': /^SELECT .* FROM "setting"/,
};

/** What a statement may do although a rule is against it, and why. */
const exceptions: Record<string, Partial<Record<Finding['rule'], string>>> = {
  'conversation-of-message': {
    parts: 'A client that deletes names the message alone, so the index of each part is asked: 2 to 4 pages each.',
  },
  'conversations-of-account': {
    removed:
      'A further page of a list in the order of what every message changes: an index by it would be written as often.',
    pages: 'As above.',
  },
  'dms-of-account': {
    removed: 'When a setting changes, of all conversations of the account; those that are dms are written besides.',
  },
  'entries-of-streams': {
    pages: 'Looks into each stream that lacks entries; in the filled database some of them have none.',
  },
  'missed-acknowledgements': {
    removed:
      'An index by time would be written at every acknowledgment, in place of this look through rows that resuming reads in any case.',
    pages: 'As above.',
  },
  'missed-receipts': {
    removed: 'Of all conversations of the account, for the same reason as missed-acknowledgements.',
    pages: 'As above.',
  },
  'update-oldest': { pages: 'Passes by the index entries of the batch that has just been removed.' },
};

/** Of `@waggle/service`, for connections and migrations: they read no table. */
const withoutTables = new Set(['backend', 'timeouts-of-role', 'lock-migrations']);

const statements = [
  ...declaredStatements()
    .filter(({ name }) => !withoutTables.has(name))
    .map(({ name, text }) => ({ name, isText: (executed: string) => executed === text })),
  ...findRepositoryCalls().map((name) => ({
    name,
    isText: (executed: string) => byTypeOrm[name]?.test(executed) === true,
  })),
];

/** The names of the statements that a text belongs to. */
const namesOf = cached((text: string) => statements.filter(({ isText }) => isText(text)).map(({ name }) => name));

const findingsIn = cached(findFindings);

describe('on a large database', () => {
  const executions: Record<PlanMode, Execution[]> = { custom: [], generic: [] };
  let database: TestDatabase;
  let sizes: string;

  beforeAll(async () => {
    database = await freshDatabase();
    const known = await fillDatabase(database);
    sizes = await describeSizes(database.url);
    const recorder = new PlanRecorder();
    // Every renewal checks the key.
    const keyChecks = { everyMs: -1, graceMs: 0 };
    const chat = await ChatUnderTest.start(
      { database: { url: explainingUrl(database.url, 'custom') }, keyChecks },
      database,
    );
    try {
      for (const [i, mode] of planModes.entries()) {
        const url = explainingUrl(database.url, mode);
        const instance = i === 0 ? chat.instance : await chat.addInstance({ database: { url }, keyChecks });
        recorder.take();
        await doEverything(instance, known);
        await workBeside(url, known.large, 160 - 2 * i);
        await recorder.received(['FROM commit_log CROSS JOIN', '"revoked_at" > now()']);
        executions[mode] = recorder.take();
        await instance.stop();
      }
    } finally {
      recorder.end();
      await chat.stop();
    }
  }, 120_000);

  it('every statement of the sources is executed, and no other', () => {
    for (const mode of planModes) {
      const missing = statements.filter(({ isText }) => !executions[mode].some(({ text }) => isText(text)));
      expect(missing.map(({ name }) => name)).toEqual([]);
      const strange = executions[mode].filter(({ text }) => namesOf(text).length === 0 && touchesTables(text));
      expect(strange.map(({ text }) => text)).toEqual([]);
    }
  });

  it.each(planModes)('no statement scans, and none reads much for little: plans for %s values', (mode) => {
    const found = executions[mode].flatMap(({ text, plan }) =>
      findingsIn(plan).flatMap(({ rule, what }) =>
        namesOf(text)
          .filter((name) => exceptions[name]?.[rule] === undefined)
          .map((name) => `${name} ${what} (${rule})`),
      ),
    );
    expect([...new Set(found)].sort()).toEqual([]);
  });

  it('has no exception that is not needed', () => {
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

  it('docs/query-plans.md has each expensive statement; `WRITE_QUERY_PLANS=true npx jest query-plans` writes it', () => {
    const names = [...new Set(statements.map(({ name }) => name))].sort();
    const planned = names.map((name) => ({
      name,
      plans: planModes.map((mode) => costliest(name, executions[mode])),
    }));
    if (process.env['WRITE_QUERY_PLANS'] === 'true') writeDocument(planned, sizes);
    const documented = statementsInDocument();
    // The pages vary between runs, so statements near the bound may or may not be in the document.
    const expensive = planned.filter(({ plans }) => plans.some((plan) => pagesOf(plan) >= 2 * documentedPages));
    expect(documented).toEqual(expect.arrayContaining(expensive.map(({ name }) => name)));
    expect(names).toEqual(expect.arrayContaining(documented));
  });
});

function costliest(name: string, executions: readonly Execution[]) {
  const [first, ...others] = executions.filter(({ text }) => namesOf(text).includes(name)).map(({ plan }) => plan);
  if (first === undefined) throw new Error(`${name} was not executed`);
  return others.reduce((most, plan) => (pagesOf(plan) > pagesOf(most) ? plan : most), first);
}

/** Computes each value once: the tests ask for those of every execution, and there are thousands. */
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

/** What instances do by themselves: they read what they have missed, here much of it, or have deferred, and remove what is old. */
async function workBeside(url: string, stream: string, messageDays: number) {
  const pool = new Pool({ connectionString: url });
  const logStore = new LogStore(pool);
  await logStore.findEntries([{ stream, seq: 100 }]);
  await logStore.findLeaves('alice', { stream, from: 100, to: 1_000 });
  await new TimelineStore(pool, new AdoptedTimeline()).lacksAny([{ stream, seq: 100 }]);
  await new MissedStore(pool).findPage([{ stream, from: 100, to: 199 }], 1e6);
  const logger = createLogger('chat', 'silent');
  const metrics = new RetentionMetrics(new Registry());
  await new RetentionService(new RetentionStore(), metrics, pool, { retention: { messageDays } }, logger).sweep();
  await pool.end();
}
