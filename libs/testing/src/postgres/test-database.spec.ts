import { Client } from 'pg';
import { z } from 'zod';
import { exampleIn } from '../examples/markdown';
import { runExample } from '../examples/run-example';
import { provideServers } from '../jest/servers';
import { type TestDatabase, createTemplate, createTestDatabase, dropTestDatabases } from './test-database';
import { databaseUrlVariable } from './test-server-url';
import { runEach, withDatabase } from './with-database';

let endServers: () => Promise<void>;
beforeAll(async () => {
  endServers = await provideServers(['postgres']);
});
afterAll(() => endServers());

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const { rows } = await withDatabase(url, (client) => client.query<Record<string, unknown>>(sql));
  return rows;
}

const createThing = (url: string) => query(url, 'CREATE TABLE thing (id int)').then(() => undefined);

it('copies the schema of a template into separate databases', async () => {
  const template = await createTemplate('things', createThing);
  const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase(template)));
  await Promise.all(databases.map(({ url }, index) => query(url, `INSERT INTO thing VALUES (${index})`)));
  const rows = await Promise.all(databases.map(({ url }) => query(url, 'SELECT id FROM thing')));
  expect(rows).toEqual([[{ id: 0 }], [{ id: 1 }], [{ id: 2 }]]);
  await Promise.all(databases.map((database: TestDatabase) => database.drop()));
});

it('runs statements that use some of the values', async () => {
  const { url, drop } = await createTestDatabase();
  const texts = [
    'CREATE TABLE thing (id int, name text)',
    'INSERT INTO thing VALUES ($1, $2)',
    'DELETE FROM thing WHERE id < $1',
  ];
  await withDatabase(url, (client) => runEach(client, texts, [1, 'one']));
  expect(await query(url, 'SELECT id, name FROM thing')).toEqual([{ id: 1, name: 'one' }]);
  await drop();
});

it('runs the example of the README', async () => {
  const example = exampleIn('libs/testing/README.md', 'A database per test file');
  const globals = { createTemplate, createTestDatabase, migrate: createThing };
  const result = await runExample(example, { globals, results: ['database'] });
  const { url, drop } = z
    .object({
      database: z.object({ url: z.string(), drop: z.custom<() => Promise<void>>((it) => typeof it === 'function') }),
    })
    .parse(result).database;
  expect(await query(url, 'SELECT id FROM thing')).toEqual([]);
  await drop();
});

it('migrates a template once for concurrent callers', async () => {
  let runs = 0;
  const migrate = async (url: string) => {
    runs += 1;
    await createThing(url);
  };
  await Promise.all([1, 2, 3, 4].map(() => createTemplate('once', migrate)));
  expect(runs).toBe(1);
});

it('creates a template again after a failed migration', async () => {
  const failing = (url: string) => createThing(url).then(() => Promise.reject(new Error('half way')));
  await expect(createTemplate('again', failing)).rejects.toThrow('half way');
  await expect(createTemplate('again', createThing)).resolves.toBeDefined();
});

it('drops a database that is still in use', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
});

it('removes all databases of the run from a shared server', async () => {
  await createTestDatabase(await createTemplate('leftover', createThing));
  await dropTestDatabases();
  const left = await query(
    process.env[databaseUrlVariable] ?? '',
    `SELECT datname FROM pg_database WHERE datname LIKE 'waggle%'`,
  );
  expect(left).toEqual([]);
});

it('names the missing variable if no server was prepared', async () => {
  const url = process.env[databaseUrlVariable];
  process.env[databaseUrlVariable] = '';
  await expect(createTestDatabase()).rejects.toThrow('TEST_DATABASE_URL is not set');
  process.env[databaseUrlVariable] = url;
});
