import { exampleIn, type PostgresServer, runExample, startPostgres } from '@waggle/testing';
import { Client } from 'pg';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnTypes, declaredStatements, sql, Statement } from '../src';

@Entity('session')
class SessionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text', { nullable: true }) ip!: string | null;
}

let server: PostgresServer;
let client: Client;

beforeAll(async () => {
  server = await startPostgres({ dataDir: 'temporary' });
  client = new Client({ connectionString: server.url() });
  await client.connect();
  await client.query(
    'CREATE TABLE room (id text PRIMARY KEY, name text, seq bigint NOT NULL, at timestamptz NOT NULL)',
  );
});
afterAll(async () => {
  await client.end();
  await server.stop();
});
beforeEach(async () => {
  await client.query('TRUNCATE room');
});

const insertRooms = new Statement({
  name: 'insert-rooms',
  text: 'INSERT INTO room (id, name, seq, at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[])',
  parameters: {
    ids: sql.arrayOf(sql.text),
    names: sql.arrayOf(sql.nullable(sql.text)),
    seqs: sql.arrayOf(sql.int8),
    at: sql.arrayOf(sql.timestamptz),
  },
  columns: {},
});
const listRooms = new Statement({
  name: 'list-rooms',
  text: 'SELECT id, name, seq, at FROM room WHERE seq >= $1 ORDER BY seq LIMIT $2',
  parameters: { seq: sql.int8, limit: sql.int8 },
  columns: { id: sql.text, name: sql.nullable(sql.text), seq: sql.int8, at: sql.timestamptz },
});
const lastSeq = new Statement({
  name: 'last-seq',
  text: 'SELECT max(seq) AS seq FROM room',
  parameters: {},
  columns: { seq: sql.notNull(sql.int8) },
  isPrepared: false,
});

const at = new Date('2026-01-01T00:00:00.123Z');
const insert = (...seqs: bigint[]) =>
  insertRooms.execute(client, { ids: seqs.map(String), names: seqs.map(() => null), seqs, at: seqs.map(() => at) });

it('passes values by name and returns rows of the declared types', async () => {
  expect(await insert(1n, 2n ** 53n + 1n)).toBe(2);
  expect(await listRooms.query(client, { limit: 10, seq: 1 })).toEqual([
    { id: '1', name: null, seq: '1', at },
    { id: '9007199254740993', name: null, seq: '9007199254740993', at },
  ]);
  expect((await listRooms.find(client, { limit: 10, seq: 2 }))?.seq).toBe('9007199254740993');
  expect(await listRooms.find(client, { limit: 0, seq: 1 })).toBeUndefined();
});

it('is prepared by name, unless it must be planned for its values', async () => {
  await listRooms.query(client, { limit: 1, seq: 1 });
  await insert(1n);
  await lastSeq.query(client, {});
  const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements ORDER BY name');
  expect(rows).toEqual([{ name: 'insert-rooms' }, { name: 'list-rooms' }]);
});

it('rejects a null in a column that was declared as not null', async () => {
  await expect(lastSeq.query(client, {})).rejects.toThrow('last-seq: seq is null');
  await insert(7n);
  expect(await lastSeq.query(client, {})).toEqual([{ seq: '7' }]);
});

it('is registered for the test that compares all statements with the schema', () => {
  const names = declaredStatements().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['insert-rooms', 'list-rooms', 'last-seq']));
});

it('can be declared as ADR 19 shows', async () => {
  await client.query('CREATE TABLE session (id text PRIMARY KEY, ip text, expires_at timestamptz NOT NULL)');
  await client.query("INSERT INTO session VALUES ('s1', NULL, now() + interval '1 day')");
  const globals = { pool: client, sessionTable: columnTypes(SessionEntity), Statement };
  const example = exampleIn('docs/adr/0019-checked-sql.md', 'Decision');
  expect(await runExample(example, { globals, results: ['session'] })).toEqual({
    session: { id: 's1', ip: null },
  });
});

it('has types that reject wrong values and columns', () => {
  // Compiled, not executed.
  const wrong = async () => {
    // @ts-expect-error -- a parameter is missing
    await listRooms.query(client, { seq: 1 });
    // @ts-expect-error -- null for a parameter that does not take it
    await listRooms.query(client, { seq: null, limit: 1 });
    const row = await listRooms.find(client, { seq: 1, limit: 1 });
    // @ts-expect-error -- an int8 is text
    const seq: number | undefined = row?.seq;
    // @ts-expect-error -- a name may be null
    const name: string | undefined = row?.name;
    return [seq, name];
  };
  expect(wrong).toBeInstanceOf(Function);
});
