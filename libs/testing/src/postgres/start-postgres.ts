import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claim } from '../processes/claim';
import { startOnFreePort } from '../processes/local-server';
import { type ServerUser, findServerUser } from '../processes/server-user';
import { getPostgresBinaries } from './binaries';
import { endOrphan, initialize, removeUnfinished } from './cluster';
import { PostgresServer, type PostgresSetUp } from './server';

export interface PostgresOptions {
  /** `temporary`: new, fast, and removed at the end, for tests. A path: created at the first start and reused. */
  dataDir: 'temporary' | (string & {});
  /** The administrator's password; required with a path, and the same at each start. */
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
  options: PostgresOptions,
): Promise<PostgresServer> {
  // TMPDIR of root may not be accessible to the server's user.
  const temporaryFolder = mkdtempSync(path.join(user === undefined ? tmpdir() : '/tmp', 'waggle-postgres-'));
  if (user !== undefined) chmodSync(temporaryFolder, 0o755);
  const removeFolder = () => {
    rmSync(temporaryFolder, { recursive: true, force: true });
  };
  try {
    return await start({
      bin,
      dataDir: path.join(temporaryFolder, 'data'),
      onStopped: removeFolder,
      password: options.password ?? randomBytes(16).toString('hex'),
      settings: { ...testSettings, ...options.settings },
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
  const release = claim(`${dataDir}.claim`);
  try {
    await endOrphan(dataDir);
    removeUnfinished(dataDir);
    return await start({
      bin,
      dataDir,
      onStopped: release,
      password,
      settings: { ...settings },
      temporaryFolder: undefined,
      // The owner of the data, which may differ from the current user.
      user: user !== undefined && existsSync(dataDir) ? ownerOf(dataDir) : user,
    });
  } catch (error) {
    release();
    throw error;
  }
}

async function start(setUp: PostgresSetUp): Promise<PostgresServer> {
  if (!existsSync(setUp.dataDir)) await initialize(setUp.bin, setUp.dataDir, setUp);
  return await startOnFreePort((port) => new PostgresServer(setUp, port));
}

function ownerOf(folder: string): ServerUser {
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}
