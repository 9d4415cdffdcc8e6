import { Client } from 'pg';
import { provideServers } from '../jest/servers';
import { type DeclaredStatement, differencesFromSchema } from './statements';
import { createTestDatabase, type TestDatabase } from './test-database';
import { withDatabase } from './with-database';

let endServers: () => Promise<void>;
let database: TestDatabase;

beforeAll(async () => {
  endServers = await provideServers(['postgres']);
  database = await createTestDatabase();
  await execute(`
    CREATE TABLE room (id text PRIMARY KEY, name text, seq bigint NOT NULL);
    CREATE TABLE entry (room text NOT NULL, seq bigint NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (room, seq));
  `);
});
afterAll(async () => {
  await database.drop();
  await endServers();
});

async function execute(statements: string): Promise<void> {
  await withDatabase(database.url, (client) => client.query(statements));
}

/** `text` is a type, `text?` the same as nullable, `text!` as asserted to be not null. */
function typesOf(types: Record<string, string>): DeclaredStatement['columns'] {
  const nullabilities = { '?': 'nullable', '!': 'asserted' } as const;
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const mark = /[?!]$/.exec(type)?.[0];
      const nullability = mark === '?' || mark === '!' ? nullabilities[mark] : 'proven';
      return [name, { typeName: type.replace(/[?!]$/, ''), nullability }];
    }),
  );
}

function statement(
  text: string,
  parameters: Record<string, string>,
  columns: Record<string, string>,
  name = 'it',
): DeclaredStatement {
  return { name, text, parameters: typesOf(parameters), columns: typesOf(columns) };
}

const differences = (...statements: DeclaredStatement[]) => differencesFromSchema(database.url, statements);

const appended = `
  WITH locked AS MATERIALIZED (SELECT id, seq FROM room WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE
  ), stored AS (
    INSERT INTO entry (room, seq, at) SELECT l.id, l.seq + e.nth, now() FROM locked l
    JOIN unnest($1::text[], $2::int[]) e (room, nth) ON e.room = l.id
  )
  SELECT id, seq, now() AS at FROM locked`;

it.each([
  [
    'types, null and not null',
    'SELECT id, name FROM room WHERE seq > $1',
    { seq: 'int8' },
    { id: 'text', name: 'text?' },
  ],
  ['a statement without rows', 'DELETE FROM room WHERE id = $1', { id: 'text' }, {}],
  ['the rows that a change returns', 'UPDATE room SET seq = $1 RETURNING seq', { seq: 'int8' }, { seq: 'int8' }],
  ['an expression that is asserted', 'SELECT count(*) AS rooms FROM room', {}, { rooms: 'int8!' }],
  [
    'a column through a common table expression',
    appended,
    { ids: '_text', nths: '_int4' },
    { id: 'text', seq: 'int8', at: 'timestamptz!' },
  ],
  [
    'an outer join',
    'SELECT r.id, e.seq FROM room r LEFT JOIN entry e ON e.room = r.id',
    {},
    { id: 'text!', seq: 'int8?' },
  ],
])('accepts %s', async (_what, text, parameters, columns) => {
  expect(await differences(statement(text, parameters, columns))).toEqual([]);
});

it.each([
  ['a column that the table lacks', 'SELECT ids FROM room', {}, { ids: 'text' }, 'column "ids" does not exist'],
  ['a table that does not exist', 'DELETE FROM rooms', {}, {}, 'relation "rooms" does not exist'],
  [
    'a type of a parameter',
    'DELETE FROM room WHERE seq = $1',
    { seq: 'text' },
    {},
    '$1 is int8, but seq is declared as text',
  ],
  ['a parameter too many', 'DELETE FROM room', { seq: 'int8' }, {}, '1 parameters declared, 0 used'],
  ['a type of a column', 'SELECT seq FROM room', {}, { seq: 'int4' }, 'seq is int8, but declared as int4'],
  ['a column that is not declared', 'SELECT id FROM room', {}, {}, 'id is returned, but not declared'],
  ['a column that is not returned', 'SELECT FROM room', {}, { id: 'text' }, 'id is declared, but not returned'],
  ['a column that is returned twice', 'SELECT id, id FROM room', {}, { id: 'text' }, 'id is returned twice'],
  [
    'a column that may be null',
    'SELECT name FROM room',
    {},
    { name: 'text' },
    'name may be null: declare it as nullable, or as notNull if the statement rules that out',
  ],
  [
    'the inner side of an outer join',
    'SELECT e.seq FROM room r LEFT OUTER JOIN entry e ON e.room = r.id',
    {},
    { seq: 'int8' },
    'seq may be null: declare it as nullable, or as notNull if the statement rules that out',
  ],
  [
    'an expression',
    'SELECT max(seq) AS last FROM room',
    {},
    { last: 'int8' },
    'last may be null: declare it as nullable, or as notNull if the statement rules that out',
  ],
  ['a column that is never null', 'SELECT id FROM room', {}, { id: 'text?' }, 'id is never null'],
])('finds %s', async (_what, text, parameters, columns, difference) => {
  expect(await differences(statement(text, parameters, columns))).toEqual([`it: ${difference}`]);
});

it('reports a repeated name, and an empty list', async () => {
  const one = statement('SELECT FROM room', {}, {}, 'one');
  expect(await differences(one, one)).toEqual(['one: the name is taken']);
  expect(await differences()).toEqual(['no statement is declared']);
});

it('continues after a mismatch, and executes no statement', async () => {
  await execute("INSERT INTO room (id, seq) VALUES ('remaining', 1)");
  const bad = statement('SELECT ids FROM room', {}, {}, 'bad');
  const removal = statement('DELETE FROM room RETURNING id', {}, { id: 'text' }, 'removal');
  expect(await differences(bad, removal)).toEqual(['bad: column "ids" does not exist']);
  await execute("DO $$ BEGIN ASSERT EXISTS (SELECT FROM room WHERE id = 'remaining'); END $$");
});

it('finds every statement that a migration breaks by renaming a column', async () => {
  const renamed = await createTestDatabase();
  const byId = statement('SELECT id FROM place WHERE id = $1', { id: 'text' }, { id: 'text' });
  const client = new Client({ connectionString: renamed.url });
  await client.connect();
  try {
    await client.query('CREATE TABLE place (id text PRIMARY KEY)');
    expect(await differencesFromSchema(renamed.url, [byId])).toEqual([]);
    await client.query('ALTER TABLE place RENAME COLUMN id TO place_id');
    expect(await differencesFromSchema(renamed.url, [byId])).toEqual(['it: column "id" does not exist']);
  } finally {
    await client.end();
    await renamed.drop();
  }
});
