import { execFileSync } from 'node:child_process';
import { fetchProgram } from './packages/debian-package';
import { fetchError } from './packages/fetch-error';

/**
 * Finds promtool: the one that `PROMTOOL` names; otherwise the machine's; otherwise one downloaded from the machine's
 * package sources, without installing it.
 *
 * @throws Error one line that says how to get it
 */
export async function getPromtool(): Promise<string> {
  const installed = process.env['PROMTOOL'] ?? 'promtool';
  if (runs(installed)) return installed;
  try {
    const packaged = { name: 'prometheus', packages: ['prometheus'], file: 'usr/bin/promtool' } as const;
    const { command } = await fetchProgram(packaged);
    if (runs(command)) return command;
    throw new Error(`the fetched ${command} does not run here`);
  } catch (error) {
    throw fetchError(
      'no promtool: it comes with Prometheus (apt-get install prometheus, brew install prometheus), or name it by PROMTOOL',
      error,
    );
  }
}

function runs(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
