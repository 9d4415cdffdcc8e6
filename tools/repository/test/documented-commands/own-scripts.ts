import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** An option that no command has. */
const unknownOption = '--no-such-option';

/**
 * Returns the script that `npm run <name>` runs according to run.mjs, relative to the repository; undefined if it runs
 * none.
 */
export function scriptOf(name: string): string | undefined {
  const runner = readFileSync(path.join(root, 'tools/run.mjs'), 'utf8');
  const named = new RegExp(`^  '?${name}'?: \\(\\) => buildAndRun\\('([^']+)', '([^']+)'`, 'm');
  const [, folder, script] = named.exec(runner) ?? [];
  return folder === undefined || script === undefined ? undefined : `${folder}/dist/${script}.js`;
}

/**
 * Runs one of our commands with all options that documents pass, followed by an unknown one. It parses them in order,
 * reports the first unknown option, and does nothing.
 *
 * @returns what it reports about documented options; empty if it knows all of them
 */
export function unknownToScript(script: string, args: readonly string[]): string {
  const options = args.filter((word, index) => word.startsWith('-') || args[index - 1]?.startsWith('-'));
  const names = args.filter((word) => !options.includes(word) && !word.includes('…'));
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(root, script), ...options, unknownOption], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
    timeout: 60_000,
  });
  const output = stdout + stderr;
  // 2 if 1 is any other failure.
  if ((status !== 1 && status !== 2) || !output.includes(`'${unknownOption}'`))
    return output || `it ended with ${String(status)}`;
  // Values that the command lists in its usage, such as the figures of a benchmark.
  const values = args.flatMap((word, index) => (/^--(kinds|each)$/.test(args[index - 1] ?? '') ? word.split(',') : []));
  return [...values, ...(output.includes('] [') ? names : [])]
    .filter((name) => !output.includes(name))
    .map((name) => `${name} is not in: ${output}`)
    .join('\n');
}
