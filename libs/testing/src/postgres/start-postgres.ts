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
  /** `temporary`: fresh, fast, and removed at the end, for tests. A path: made at the first start and kept. */
  dataDir: 'temporary' | (string & {});
  /** The administrator's; needed with a path, where it must be the same at each start. */
  password?: string;
  /** Further settings of postgresql.conf. */
  settings?: Record<string, string>;
}

/**
 * Durability against a power cut costs time and is of no use to a test. What is committed still survives a SIGKILL of
 * the server: it was handed to the operating system.
 */
const testSettings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/**
 * Starts a PostgreSQL on a free port of 127.0.0.1 and resolves when it answers. It ends when `stop` is called and when
 * this process ends, however it ends. A server that was left on the data folder by a process that has died is ended first.
 *
 * @throws AlreadyClaimedError when a living process has a server on that data folder.
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
  // As root, TMPDIR may lie where the server's user may not go.
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
  if (password === undefined) throw new TypeError('a data folder that is kept needs the same password each time');
  mkdirSync(path.dirname(dataDir), { recursive: true });
  const giveBack = claim(`${dataDir}.claim`);
  try {
    await endOrphan(dataDir);
    removeUnfinished(dataDir);
    return await start({
      bin,
      dataDir,
      onStopped: giveBack,
      password,
      settings: { ...settings },
      temporaryFolder: undefined,
      // Whoever the data belongs to: users may have come and gone since it was made.
      user: user !== undefined && existsSync(dataDir) ? ownerOf(dataDir) : user,
    });
  } catch (error) {
    giveBack();
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
