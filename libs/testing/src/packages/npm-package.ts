import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** Up to 75 MB from a slow registry. */
const installTimeoutMs = 300_000;

/**
 * Installs what a package.json and its lock in `source` name into a folder, without running install scripts. The lock's
 * checksums are verified.
 *
 * @throws Error if the registry does not respond or has other contents than the lock
 */
export function installLocked(source: string, folder: string, env: NodeJS.ProcessEnv): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(source, file), path.join(folder, file));
  // Peers are not needed for a single file of a package.
  const args = ['ci', '--prefix', folder, '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: folder, env, timeout: installTimeoutMs, stdio: ['ignore', 'ignore', 'pipe'] });
}
