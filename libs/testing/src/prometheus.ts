import { execFileSync } from 'node:child_process';
import { fetchProgram } from './packages/debian-package';
import { fetchError } from './packages/fetch-error';

/**
 * Finds a program of Prometheus: the one that `PROMETHEUS` or `PROMTOOL` names; otherwise the machine's; otherwise one
 * downloaded from the machine's package sources, without installing it.
 *
 * @throws Error one line that says how to get it
 */
export async function getPrometheusProgram(name: 'prometheus' | 'promtool'): Promise<string> {
  const variable = name.toUpperCase();
  const installed = process.env[variable] ?? name;
  if (runs(installed)) return installed;
  try {
    const { command } = await fetchProgram({
      name: 'prometheus',
      packages: ['prometheus'],
      file: `usr/bin/${name}`,
    });
    if (runs(command)) return command;
    throw new Error(`the fetched ${command} does not run here`);
  } catch (error) {
    throw fetchError(
      `no ${name}: it comes with Prometheus (apt-get install prometheus, brew install prometheus), or name it by ${variable}`,
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
