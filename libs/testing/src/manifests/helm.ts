import { spawnSync } from 'node:child_process';
import { fetchProgram } from './fetch-program';

/** A cold Helm on a busy machine. */
const timeoutMs = 240_000;

/**
 * Runs Helm 4: the one that `HELM` names, otherwise one of an npm package.
 *
 * @returns its output, and its error without one
 */
export function runHelm(args: readonly string[]): { output: string; error: string } {
  const command = process.env['HELM'] ?? fetchProgram('helm', process.env);
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { output: stdout, error: status === 0 ? '' : stderr };
}
