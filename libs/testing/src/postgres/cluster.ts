import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fillOnce } from '../packages/fill-once';
import { findProcess } from '../processes/inspect';
import { runtimeFolder } from '../processes/runtime-folder';
import type { ServerUser } from '../processes/server-user';
import { waitLimitMs } from '../until';

const run = promisify(execFile);

/** The database administrator that `initdb` makes. */
export const administrator = 'postgres';

/** Sets the language of PostgreSQL's messages; nothing else of the environment is needed. */
export const serverEnvironment = { PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/** Options of `initdb`. */
const settings = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256'];

/**
 * Creates a data folder as a copy of an empty cluster, which takes a fifth of the CPU time of `initdb`. The empty
 * cluster is created once for a version of PostgreSQL, and all copies have its password. It is synced to disk, since it
 * stays there.
 *
 * @returns the administrator's password
 */
export async function copyEmptyCluster(bin: string, dataDir: string, user: ServerUser | undefined): Promise<string> {
  const { stdout: version } = await run(path.join(bin, 'initdb'), ['--version'], { env: serverEnvironment });
  const key = createHash('sha256')
    .update(JSON.stringify([version, settings]))
    .digest('hex')
    .slice(0, 12);
  const cached = path.join(runtimeFolder(), `postgres-cluster-${key}`);
  await fillOnce(cached, async (copy) => {
    // The server's user must be able to enter it, whatever the umask is.
    if (user !== undefined) chmodSync(copy, 0o755);
    const password = randomBytes(16).toString('hex');
    writeFileSync(path.join(copy, 'password'), password, { mode: 0o600, flush: true });
    await initialize(bin, path.join(copy, 'data'), { password, user });
  });
  mkdirSync(dataDir, { mode: 0o700 });
  if (user !== undefined) chownSync(dataDir, user.uid, user.gid);
  await run('cp', ['-R', `${cached}/data/.`, dataDir], { cwd: '/', env: serverEnvironment, ...user });
  return readFileSync(path.join(cached, 'password'), 'utf8');
}

/**
 * Creates a data folder atomically: an interrupted one does not exist at the next start.
 *
 * Passwords are required even on loopback, since every user of the machine can connect to it.
 */
export async function initialize(
  bin: string,
  dataDir: string,
  { password, user }: { password: string; user: ServerUser | undefined },
): Promise<void> {
  const unfinished = `${dataDir}.${randomBytes(6).toString('hex')}`;
  const passwordFile = `${unfinished}.password`;
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user !== undefined) for (const entry of [unfinished, passwordFile]) chownSync(entry, user.uid, user.gid);
    const args = [`--pgdata=${unfinished}`, `--username=${administrator}`, `--pwfile=${passwordFile}`, ...settings];
    await run(path.join(bin, 'initdb'), args, { cwd: '/', env: serverEnvironment, ...user });
    renameSync(unfinished, dataDir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

/** Removes what an interrupted `initialize` left. */
export function removeUnfinished(dataDir: string): void {
  const folder = path.dirname(dataDir);
  for (const name of readdirSync(folder)) {
    const isUnfinished = name.startsWith(`${path.basename(dataDir)}.`) && /\.[0-9a-f]{12}(\.password)?$/.test(name);
    if (isUnfinished) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Stops a server that still runs on the data folder although its parent process ended.
 *
 * @throws Error if it does not end
 */
export async function endOrphan(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const isOurServer = (): boolean => {
    const command = findProcess(pid)?.command;
    return command?.includes('postgres') === true && command.includes(dataDir);
  };
  if (!isOurServer()) return;
  process.kill(pid, 'SIGINT'); // A fast shutdown: sessions are ended, nothing committed is lost.
  process.kill(pid, 'SIGCONT');
  const deadline = Date.now() + waitLimitMs;
  while (isOurServer()) {
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${pid}) still runs on ${dataDir} and does not stop`);
    await setTimeout(50);
  }
}
