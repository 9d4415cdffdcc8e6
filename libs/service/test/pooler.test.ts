import { type PgBouncer, type PostgresServer, startPgBouncer, startPostgres, waitLimitMs } from '@waggle/testing';
import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions, isPooled, migrate, poolOf } from '../src';

const timeouts = `SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle, pg_backend_pid() AS pid`;
const wanted = { lock: '2s', statement: '5s', idle: '5s' };

class Make1 {
  readonly name = 'Make1764000000000';
  up(runner: { query: (sql: string) => Promise<unknown> }) {
    // Waiting for the timeouts would take too long, so their values are read.
    return runner.query(`CREATE TABLE in_force AS ${timeouts}`);
  }
  down() {
    return Promise.resolve();
  }
}

describe('the server timeouts of a service', () => {
  let postgres: PostgresServer;
  let pgBouncer: PgBouncer;
  let admin: Client;
  beforeAll(async () => {
    postgres = await startPostgres({ dataDir: 'temporary' });
    admin = new Client({ connectionString: postgres.url() });
    await admin.connect();
    await admin.query(`CREATE ROLE "the service" LOGIN PASSWORD 'secret'`);
    await admin.query('CREATE DATABASE "its own" OWNER "the service"');
    pgBouncer = await startPgBouncer({ upstream: urlOf('the service'), poolSize: 2 });
  });
  afterAll(async () => {
    await admin.end();
    await pgBouncer.stop();
    await postgres.stop();
  });

  const urlOf = (role: string) => {
    const url = new URL(postgres.url('its own'));
    url.username = encodeURIComponent(role);
    url.password = 'secret';
    return url.toString();
  };
  const options = (url: string, isMigration = false) =>
    databaseOptions(
      { url, poolSize: 5, isMigration, connectTimeoutMs: waitLimitMs },
      { service: 'test', entities: [], migrations: [Make1] },
    );
  const withPool = async (url: string, use: (pool: Pool) => Promise<void>) => {
    const dataSource = await new DataSource(options(url)).initialize();
    try {
      await use(poolOf(dataSource));
    } finally {
      await dataSource.destroy();
    }
  };

  it('are set on each connection to PostgreSQL itself', async () => {
    await withPool(urlOf('the service'), async (pool) => {
      const client = await pool.connect();
      expect(await isPooled(client)).toBe(false);
      expect((await client.query(timeouts)).rows).toMatchObject([wanted]);
      client.release();
    });
    expect((await admin.query('SELECT FROM pg_db_role_setting')).rowCount).toBe(0);
  });

  it('are set on the role behind a pooler, so that every connection has them', async () => {
    await withPool(pgBouncer.url(), async (pool) => {
      const client = await pool.connect();
      expect(await isPooled(client)).toBe(true);
      client.release();
      await pgBouncer.console('RECONNECT');
      const results = await Promise.all(Array.from({ length: 20 }, () => pool.query<{ pid: number }>(timeouts)));
      for (const { rows } of results) expect(rows).toMatchObject([wanted]);
      expect(new Set(results.map(({ rows }) => rows[0]?.pid)).size).toBeLessThanOrEqual(2);
      expect((await pgBouncer.connections()).clients).toBe(5);
    });
  });

  it('do not replace those that the role already has', async () => {
    await admin.query(`ALTER ROLE "the service" IN DATABASE "its own" SET statement_timeout = '9s'`);
    await pgBouncer.console('RECONNECT');
    await withPool(pgBouncer.url(), async (pool) => {
      expect((await pool.query(timeouts)).rows).toMatchObject([{ ...wanted, statement: '9s' }]);
    });
  });

  it('do not apply to migrations over a direct connection, even if the role has them', async () => {
    await migrate(options(urlOf('the service'), true));
    const client = new Client({ connectionString: urlOf('the service') });
    await client.connect();
    expect((await client.query('SELECT lock, statement FROM in_force')).rows).toEqual([{ lock: '1s', statement: '0' }]);
    await client.end();
  });
});
