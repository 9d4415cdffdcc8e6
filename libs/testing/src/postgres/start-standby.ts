import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client } from 'pg';
import { startOnFreePort } from '../processes/local-server';
import { type ServerUser } from '../processes/server-user';
import { hasCode } from '../processes/system-error';
import { until } from '../until';
import { administrator } from './cluster';
import { type PostgresServer, type PostgresSetUp } from './server';
import { StandbyServer } from './standby';
import { withDatabase } from './with-database';

export interface StandbyOptions {
  /**
   * `synchronous`: from when `startStandby` resolves, a commit on the primary is acknowledged only once the standby has
   * it. `asynchronous`: the standby may lag behind.
   */
  replication: 'synchronous' | 'asynchronous';
}

/** Files that are written for the standby, or belong only to the running primary. */
const notCopied = ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf', 'pg_wal'];

/** WAL that the primary retains for a standby that has not connected yet. */
const retainedWal = '512MB';

/**
 * Starts a streaming standby of a running server from a copy of its data, and resolves when it is connected. Needs
 * PostgreSQL 15 or newer. Its data are removed when it is stopped.
 *
 * @throws ServerStartError
 */
export async function startStandby(primary: PostgresServer, { replication }: StandbyOptions): Promise<StandbyServer> {
  const { user } = primary.setUp;
  const temporaryFolder = mkdtempSync(path.join(user === undefined ? tmpdir() : '/tmp', 'waggle-standby-'));
  if (user !== undefined) chmodSync(temporaryFolder, 0o755);
  const name = path.basename(temporaryFolder).replaceAll('-', '_').toLowerCase();
  const removeFolder = (): void => {
    rmSync(temporaryFolder, { recursive: true, force: true });
  };
  let standby: StandbyServer | undefined;
  try {
    const dataDir = path.join(temporaryFolder, 'data');
    await copyData(primary, dataDir, name);
    const setUp: PostgresSetUp = { ...primary.setUp, dataDir, temporaryFolder, onStopped: removeFolder };
    standby = await startOnFreePort((port) => new StandbyServer(setUp, port));
    await untilReplicated(primary, name, replication);
    return standby;
  } catch (error) {
    await standby?.stop();
    removeFolder();
    throw error;
  }
}

/** A base backup of the running primary, which becomes a standby that streams from it when it is started. */
async function copyData(primary: PostgresServer, dataDir: string, name: string): Promise<void> {
  const { setUp } = primary;
  await withDatabase(primary.url(), async (client) => {
    await client.query(`ALTER SYSTEM SET wal_keep_size = '${retainedWal}'`);
    await client.query('SELECT pg_reload_conf()');
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await copyTree(setUp.dataDir, dataDir, notCopied);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    const connection = `host=127.0.0.1 port=${primary.port} user=${administrator} password=${setUp.password}`;
    mkdirSync(path.join(dataDir, 'pg_wal', 'archive_status'), { recursive: true });
    const files = {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = '${connection} application_name=${name}'\n`,
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(dataDir, file), text, { mode: 0o600 });
    if (setUp.user !== undefined) await giveTo(setUp.user, dataDir);
  });
}

/** Copies files of a running server: they may change in the meantime, which the WAL corrects, or vanish. */
async function copyTree(from: string, to: string, left: readonly string[] = []): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (left.includes(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile()) await copyUnlessGone(source, target);
  }
}

async function copyUnlessGone(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

async function giveTo({ uid, gid }: ServerUser, folder: string): Promise<void> {
  await chown(folder, uid, gid);
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(entries.map((entry) => chown(path.join(folder, entry), uid, gid)));
}

async function untilReplicated(
  primary: PostgresServer,
  name: string,
  replication: StandbyOptions['replication'],
): Promise<void> {
  await withDatabase(primary.url(), async (client) => {
    await until(() => hasState(client, name, `state = 'streaming'`));
    if (replication === 'asynchronous') return;
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await client.query('SELECT pg_reload_conf()');
    await until(() => hasState(client, name, `sync_state = 'sync'`));
  });
}

async function hasState(client: Client, name: string, condition: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_replication WHERE application_name = $1 AND ${condition}`,
    [name],
  );
  return rowCount === 1;
}
