import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { exampleIn } from '../examples/markdown';
import { startPostgres } from '../postgres/start-postgres';
import { type PostgresServer } from '../postgres/server';
import { findProcess } from '../processes/inspect';
import { type PgBouncer } from './server';
import { startPgBouncer } from './start-pgbouncer';
import { hasPreparedStatements } from './fetch-pgbouncer';

// The first run on a machine without PgBouncer fetches it.
const fetchTimeoutMs = 240_000;

it.each([
  ['1.20.1', false],
  ['1.21.0', true],
  ['1.24.1-1+deb13u2', true],
  ['2.0', true],
  [undefined, false],
])('of the version %s prepared statements are known: %s', (version, are) => {
  expect(hasPreparedStatements(version)).toBe(are);
});

describe('PgBouncer in transaction mode', () => {
  let postgres: PostgresServer;
  let pgBouncer: PgBouncer;

  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    pgBouncer = await startPgBouncer({ upstream: postgres.url(), poolSize: 1 });
  }, fetchTimeoutMs);
  afterAll(async () => {
    const pid = pgBouncer.pid ?? 0;
    await pgBouncer.stop();
    expect(findProcess(pid)).toBeUndefined();
    await postgres.stop();
  });

  it('accepts the settings in docs/scaling.md', async () => {
    const [, ofPgBouncer = ''] = exampleIn('docs/scaling.md', 'PgBouncer').split('[pgbouncer]\n');
    const settings = new Map(
      ofPgBouncer
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/\s*;.*/, '').split(' = '))
        .map(([key = '', value = '']) => [key, value]),
    );
    expect(settings.get('pool_mode')).toBe('transaction');
    const upstream = postgres.url();
    const documented = await startPgBouncer({ upstream, poolSize: 1, settings: Object.fromEntries(settings) });
    const config = await documented.console('SHOW CONFIG');
    await documented.stop();
    for (const [key, value] of settings) expect(config).toContainEqual(expect.objectContaining({ key, value }));
  });

  it('shares one connection between clients, and preserves their prepared statements', async () => {
    const clients = [1, 2, 3].map(() => new Client({ connectionString: pgBouncer.url() }));
    const pids: unknown[] = [];
    for (const client of clients) {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid' });
      pids.push(rows[0]?.pid);
    }
    expect(new Set(pids).size).toBe(1);
    for (const client of clients) await client.end();
    expect(await pgBouncer.console('SHOW POOLS')).toContainEqual(
      expect.objectContaining({ database: 'postgres', pool_mode: 'transaction' }),
    );
  });

  it('rejects clients without the password', async () => {
    const url = new URL(pgBouncer.url());
    url.password = 'guess';
    await expect(new Client({ connectionString: url.toString() }).connect()).rejects.toThrow(/auth/i);
  });

  it('leaves no folder if it cannot start', async () => {
    const start = startPgBouncer({ upstream: postgres.url(), poolSize: 1, settings: { auth_type: 'nosuch' } });
    const [, folder = ''] = /\((\/.*)\/pgbouncer\.ini/.exec(await start.then(String, String)) ?? [];
    expect(path.basename(folder)).toMatch(/^waggle-pgbouncer-/);
    expect(existsSync(folder)).toBe(false);
  });
});
