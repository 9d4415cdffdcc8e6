import { execFileSync } from 'node:child_process';

/** The oldest kubectl whose Kustomize knows what we use (5.0, in 1.27). */
const oldestMinorVersion = 27;

/** A cold kubectl on a busy machine took 8 s. */
const timeoutMs = 60_000;

/**
 * What `kubectl kustomize` makes of a folder: YAML, without asking a cluster.
 *
 * @throws Error where the folder cannot be built, or one line that says how to get kubectl
 */
export function kustomize(folder: string): string {
  requireKubectl();
  return runKubectl(['kustomize', folder]);
}

function requireKubectl(): void {
  const how = `no kubectl 1.${oldestMinorVersion} or newer: install it (https://kubernetes.io/docs/tasks/tools), or name it by KUBECTL`;
  let said: string;
  try {
    said = runKubectl(['version', '--client', '--output=json']);
  } catch (error) {
    throw new Error(how, { cause: error });
  }
  const minor = Number(/"minor":\s*"(\d+)/.exec(said)?.[1]);
  if (!(minor >= oldestMinorVersion)) throw new Error(how);
}

function runKubectl(args: string[]): string {
  const command = process.env['KUBECTL'] ?? 'kubectl';
  return execFileSync(command, args, {
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
