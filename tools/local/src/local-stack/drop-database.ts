import type { PostgresServer } from '@waggle/testing';
import { Client, escapeIdentifier } from 'pg';

/** Drops a database if it exists. */
export async function dropDatabase(server: PostgresServer, name: string): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
