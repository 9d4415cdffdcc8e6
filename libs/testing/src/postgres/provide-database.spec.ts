import { Client } from 'pg';
import { provideDatabase } from './provide-database';
import type { PostgresServer } from './server';
import { startPostgres } from './start-postgres';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ dataDir: 'temporary' });
});
afterAll(() => server.stop());

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

it('creates a database that the service owns, and reuses it the next time', async () => {
  const url = await provideDatabase(server, 'chat');
  await run(url, 'CREATE TABLE persisted (id int)');
  expect(await provideDatabase(server, 'chat')).toBe(url);
  await run(url, 'SELECT id FROM persisted');
});

it('denies access to the database of another service', async () => {
  const chat = new URL(await provideDatabase(server, 'chat'));
  await provideDatabase(server, 'video-auth');
  chat.pathname = '/video-auth';
  await expect(run(chat.toString(), 'SELECT 1')).rejects.toThrow('permission denied');
});
