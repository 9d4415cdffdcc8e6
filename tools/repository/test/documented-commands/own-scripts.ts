import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** What no command of ours knows. */
const strange = '--no-such-option';

/** What `npm run <name>` runs, relative to the repository: run.mjs says so. Undefined where it runs no script of ours. */
export function scriptOf(name: string): string | undefined {
  const runner = readFileSync(path.join(root, 'tools/run.mjs'), 'utf8');
  const named = new RegExp(`^  '?${name}'?: \\(\\) => buildAndRun\\('([^']+)', '([^']+)'`, 'm');
  const [, folder, script] = named.exec(runner) ?? [];
  return folder === undefined || script === undefined ? undefined : `${folder}/dist/${script}.js`;
}

/**
 * Asks a command of ours for all the options that documents give it, and for one more that it does not know: it reads them in
 * their order, complains of the first that it does not know, and does nothing.
 *
 * @returns what it says of documented ones; empty where it knows all of them
 */
export function unknownToScript(script: string, args: readonly string[]): string {
  const options = args.filter((word, index) => word.startsWith('-') || args[index - 1]?.startsWith('-'));
  const names = args.filter((word) => !options.includes(word) && !word.includes('…'));
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(root, script), ...options, strange], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
    timeout: 60_000,
  });
  const said = stdout + stderr;
  if (status !== 1 || !said.includes(`'${strange}'`)) return said || `it ended with ${String(status)}`;
  // Where it says what there is, as the benches do of their figures.
  const values = args.flatMap((word, index) => (/^--(kinds|each)$/.test(args[index - 1] ?? '') ? word.split(',') : []));
  return [...values, ...(said.includes('] [') ? names : [])]
    .filter((name) => !said.includes(name))
    .map((name) => `${name} is not among: ${said}`)
    .join('\n');
}
