import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { AlreadyClaimedError } from '../processes/claim';
import { findProcess } from '../processes/inspect';
import { findServerUser } from '../processes/server-user';
import { getPostgresBinaries } from './binaries';
import { copyEmptyCluster } from './cluster';
import { provideDatabase } from './provide-database';
import { type PostgresServer } from './server';
import { startPostgres } from './start-postgres';
import { withDatabase } from './with-database';

async function query(url: string, sql: string): Promise<string[]> {
  const { rows } = await withDatabase(url, (client) => client.query<string[]>({ text: sql, rowMode: 'array' }));
  return rows.map(([first]) => String(first));
}

describe('a temporary server', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ dataDir: 'temporary', settings: { work_mem: '5MB' } });
  });
  // It leaves no process and no folder.
  afterAll(async () => {
    const [dataDir = ''] = await query(server.url(), 'SHOW data_directory');
    expect(statSync(dataDir).isDirectory()).toBe(true);
    const pid = server.pid ?? 0;
    expect(findProcess(pid)?.command).toContain('postgres');
    await server.stop();
    expect(findProcess(pid)).toBeUndefined();
    expect(existsSync(path.dirname(dataDir))).toBe(false);
  });

  it('has the requested settings, UTF-8 and UTC', async () => {
    const read = ['server_encoding', 'timezone', 'work_mem', 'unix_socket_directories'];
    const shown = await Promise.all(read.map((name) => query(server.url(), `SHOW ${name}`)));
    expect(shown.flat()).toEqual(['UTF8', 'UTC', '5MB', '']);
  });

  it('is a copy of a cluster that is created once', async () => {
    const folder = mkdtempSync('/tmp/waggle-copy-');
    if (process.getuid?.() === 0) execFileSync('chmod', ['755', folder]);
    try {
      await copyEmptyCluster(getPostgresBinaries(), path.join(folder, 'data'), findServerUser());
      const identifier = readFileSync(path.join(folder, 'data/global/pg_control')).readBigUInt64LE();
      expect(await query(server.url(), 'SELECT system_identifier FROM pg_control_system()')).toEqual([
        String(identifier),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('requires the password', async () => {
    const url = new URL(server.url());
    url.password = 'guess';
    await expect(query(url.toString(), 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('has committed data after SIGKILL and a start on the same port', async () => {
    await query(server.url(), 'CREATE TABLE persisted AS SELECT 1 AS id');
    const before = server.url();
    await server.kill();
    await expect(query(before, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.url()).toBe(before);
    expect(await query(before, 'SELECT id FROM persisted')).toEqual(['1']);
  });

  it('does not respond while paused, and continues afterwards', async () => {
    const client = new Client({ connectionString: server.url() });
    await client.connect();
    server.pause();
    let hasResponse = false;
    const response = client.query('SELECT 1').then(() => (hasResponse = true));
    await expect(
      new Client({ connectionString: server.url(), connectionTimeoutMillis: 200 }).connect(),
    ).rejects.toThrow('timeout');
    expect(hasResponse).toBe(false);
    server.resume();
    await response;
    await client.end();
  });

  it('provides a database that the service owns, and reuses it the next time', async () => {
    const url = await provideDatabase(server, 'chat');
    await query(url, 'CREATE TABLE persisted (id int)');
    expect(await provideDatabase(server, 'chat')).toBe(url);
    await query(url, 'SELECT id FROM persisted');
  });

  it('denies a service access to the database of another one', async () => {
    const chat = new URL(await provideDatabase(server, 'chat'));
    await provideDatabase(server, 'video-auth');
    chat.pathname = '/video-auth';
    await expect(query(chat.toString(), 'SELECT 1')).rejects.toThrow('permission denied');
  });
});

describe('a persistent data folder', () => {
  // As root, the server's user must be able to enter it.
  const folder = mkdtempSync('/tmp/waggle-persisted-');
  const options = { dataDir: path.join(folder, 'data'), password: 'secret' };
  if (process.getuid?.() === 0) execFileSync('chmod', ['755', folder]);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('keeps its data until the next start', async () => {
    const first = await startPostgres(options);
    await query(first.url(), 'CREATE TABLE persisted AS SELECT 7 AS id');
    await first.stop();
    const second = await startPostgres(options);
    expect(await query(second.url(), 'SELECT id FROM persisted')).toEqual(['7']);
    await second.stop();
  });

  it('rejects a second server while the first runs', async () => {
    const server = await startPostgres(options);
    await expect(startPostgres(options)).rejects.toThrow(AlreadyClaimedError);
    expect(await query(server.url(), 'SELECT 1')).toEqual(['1']);
    await server.stop();
  });

  it('stops a server whose parent has ended, and takes over its data', async () => {
    const orphan = await startPostgres(options);
    await query(orphan.url(), 'CREATE TABLE by_orphan AS SELECT 1 AS id');
    const pid = orphan.pid ?? 0;
    expect(readFileSync(path.join(options.dataDir, 'postmaster.pid'), 'utf8')).toContain(String(pid));
    rmSync(`${options.dataDir}.running`, { recursive: true }); // As if the process that claimed it had died.
    const successor = await startPostgres(options);
    expect(findProcess(pid)).toBeUndefined();
    expect(await query(successor.url(), 'SELECT id FROM by_orphan')).toEqual(['1']);
    await successor.stop();
    await orphan.stop();
  });
});
