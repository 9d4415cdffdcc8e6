import { execFileSync } from 'node:child_process';
import { fetchProgram } from './packages/debian-package';
import { fetchError } from './packages/fetch-error';

/** Programs of this machine, by name. */
const installed = {
  prometheus: process.env['PROMETHEUS'] ?? 'prometheus',
  promtool: process.env['PROMTOOL'] ?? 'promtool',
};

/**
 * Finds a program of Prometheus: the one that `PROMETHEUS` or `PROMTOOL` names; otherwise the machine's; otherwise one
 * downloaded from the machine's package sources, without installing it.
 *
 * @throws Error one line that says how to get it
 */
export async function getPrometheusProgram(name: keyof typeof installed): Promise<string> {
  if (runs(installed[name])) return installed[name];
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
      `no ${name}: it comes with Prometheus (apt-get install prometheus, brew install prometheus), or name it by ${name.toUpperCase()}`,
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
