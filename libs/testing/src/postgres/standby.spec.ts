import { findProcess, processesUnder } from '../processes/inspect';
import { type PostgresServer } from './server';
import { type StandbyServer } from './standby';
import { startPostgres } from './start-postgres';
import { startStandby } from './start-standby';
import { withDatabase } from './with-database';

async function query(server: PostgresServer, sql: string): Promise<string[]> {
  const { rows } = await withDatabase(server.url(), (client) =>
    client.query<string[]>({ text: sql, rowMode: 'array' }),
  );
  return rows.map(([first]) => String(first));
}

describe('a standby', () => {
  let primary: PostgresServer;
  let standby: StandbyServer | undefined;
  beforeEach(async () => {
    primary = await startPostgres({ dataDir: 'temporary' });
    await query(primary, 'CREATE TABLE number AS SELECT 1 AS n');
  });
  afterEach(async () => {
    await standby?.stop();
    await primary.stop();
  });

  it('has all that a primary with synchronous replication has acknowledged', async () => {
    standby = await startStandby(primary, { replication: 'synchronous' });
    expect(await query(primary, 'SHOW synchronous_standby_names')).not.toEqual(['']);
    await expect(query(standby, 'INSERT INTO number VALUES (2)')).rejects.toThrow('read-only');
    await query(primary, 'INSERT INTO number VALUES (2)');
    await primary.kill();
    await standby.promote();
    expect(await query(standby, 'SELECT n FROM number ORDER BY n')).toEqual(['1', '2']);
    await query(standby, 'INSERT INTO number VALUES (3)');
  });

  it('lacks commits after it stopped receiving, and may have its own standby', async () => {
    standby = await startStandby(primary, { replication: 'asynchronous' });
    await standby.stopReceiving();
    await query(primary, 'INSERT INTO number VALUES (2)');
    await primary.kill();
    await standby.promote();
    expect(await query(standby, 'SELECT n FROM number')).toEqual(['1']);
    const next = await startStandby(standby, { replication: 'synchronous' });
    await query(standby, 'INSERT INTO number VALUES (3)');
    await next.promote();
    expect(await query(next, 'SELECT n FROM number ORDER BY n')).toEqual(['1', '3']);
    await next.stop();
  });

  it('is stopped if its replication cannot be checked', async () => {
    // Hides the view that would list the standby.
    await query(primary, 'CREATE TABLE public.pg_stat_replication ()');
    await query(primary, 'ALTER ROLE postgres SET search_path = public, pg_catalog');
    await expect(startStandby(primary, { replication: 'asynchronous' })).rejects.toThrow('does not exist');
    const commands = processesUnder(process.pid).map((pid) => findProcess(pid)?.command);
    expect(commands.filter((command) => command?.includes('waggle-standby-'))).toEqual([]);
  });
});
