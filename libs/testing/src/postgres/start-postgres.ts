import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claim } from '../processes/claim';
import { startOnFreePort } from '../processes/local-server';
import { type ServerUser, findServerUser } from '../processes/server-user';
import { getPostgresBinaries } from './binaries';
import { copyEmptyCluster, endOrphan, initialize, removeUnfinished } from './cluster';
import { PostgresServer, type PostgresSetUp } from './server';

export interface PostgresOptions {
  /** `temporary`: new, fast, and removed at the end, for tests. A path: created at the first start and reused. */
  dataDir: 'temporary' | (string & {});
  /** The administrator's password; only with a path, and the same at each start. */
  password?: string;
  /** Further settings of postgresql.conf. */
  settings?: Record<string, string>;
}

/**
 * Tests do not need durability against a power cut, which costs time. Commits still survive a SIGKILL of the server,
 * since the operating system has them.
 */
const testSettings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/**
 * Starts PostgreSQL on a free port of 127.0.0.1 and resolves when it responds. It ends when `stop` is called, or when
 * this process ends in any way. A server that a dead process left on the data folder is stopped first.
 *
 * @throws AlreadyClaimedError if a living process has a server on that data folder
 * @throws ServerStartError
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const bin = getPostgresBinaries();
  const user = findServerUser();
  return options.dataDir === 'temporary'
    ? await startTemporary(bin, user, options)
    : await startPersistent(bin, user, options.dataDir, options);
}

async function startTemporary(
  bin: string,
  user: ServerUser | undefined,
  { settings }: PostgresOptions,
): Promise<PostgresServer> {
  // TMPDIR of root may not be accessible to the server's user.
  const temporaryFolder = mkdtempSync(path.join(user === undefined ? tmpdir() : '/tmp', 'waggle-postgres-'));
  if (user !== undefined) chmodSync(temporaryFolder, 0o755);
  const removeFolder = (): void => {
    rmSync(temporaryFolder, { recursive: true, force: true });
  };
  try {
    const dataDir = path.join(temporaryFolder, 'data');
    return await start({
      bin,
      dataDir,
      onStopped: removeFolder,
      password: await copyEmptyCluster(bin, dataDir, user),
      settings: { ...testSettings, ...settings },
      temporaryFolder,
      user,
    });
  } catch (error) {
    removeFolder();
    throw error;
  }
}

async function startPersistent(
  bin: string,
  user: ServerUser | undefined,
  dataDir: string,
  { password, settings }: PostgresOptions,
): Promise<PostgresServer> {
  if (password === undefined) throw new TypeError('a persistent data folder needs the same password each time');
  mkdirSync(path.dirname(dataDir), { recursive: true });
  const release = claim(`${dataDir}.running`);
  try {
    await endOrphan(dataDir);
    removeUnfinished(dataDir);
    if (!existsSync(dataDir)) await initialize(bin, dataDir, { password, user });
    return await start({
      bin,
      dataDir,
      onStopped: release,
      password,
      settings: { ...settings },
      temporaryFolder: undefined,
      // The owner of the data, which may differ from the current user.
      user: user === undefined ? undefined : ownerOf(dataDir),
    });
  } catch (error) {
    release();
    throw error;
  }
}

function start(setUp: PostgresSetUp): Promise<PostgresServer> {
  return startOnFreePort((port) => new PostgresServer(setUp, port));
}

function ownerOf(folder: string): ServerUser {
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}
