import { createHmac } from 'node:crypto';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { PostgresServer } from './server';
import { withDatabase } from './with-database';

/**
 * Creates a database for a service, with a role that has access to no other, unless they exist. @returns the connection
 * string
 */
export async function provideDatabase(server: PostgresServer, service: string): Promise<string> {
  const url = new URL(server.url(service));
  const password = createHmac('sha256', url.password).update(service).digest('hex');
  const name = escapeIdentifier(service);
  await withDatabase(server.url(), async (client) => {
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [service]);
    if (role.rowCount === 0) await client.query(`CREATE ROLE ${name}`);
    await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${escapeLiteral(password)}`);
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [service]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`);
    await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
  });
  url.username = service;
  url.password = password;
  return url.toString();
}
