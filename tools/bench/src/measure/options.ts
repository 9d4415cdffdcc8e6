import path from 'node:path';
import { parseArgs } from 'node:util';
import { PlainError, withUsage } from '@waggle/running';

export interface BenchOptions {
  /** The names of the figures; all by default. */
  figures: string[];
  isQuick: boolean;
  /** The path of the JSON. */
  file: string;
}

/**
 * Reads the command line.
 *
 * @param bench the name as in `npm run bench:chat`
 * @param known the names of all figures
 * @param folder the base of relative paths
 * @throws PlainError with the usage
 */
export function readOptions(
  args: readonly string[],
  { bench, known, folder }: { bench: string; known: readonly string[]; folder: string },
): BenchOptions {
  return withUsage(`\nnpm run bench:${bench} -- [--quick] [--out file.json] [${known.join('] [')}]`, () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
    });
    const unknown = positionals.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new PlainError(`There is no figure ${unknown}.`);
    const chosen = known.filter((name) => positionals.includes(name));
    // A quick or partial run has a separate file, so that the results of the last full run remain.
    const name = [bench, ...chosen, ...(values.quick ? ['quick'] : [])].join('-');
    return {
      figures: chosen.length === 0 ? [...known] : chosen,
      isQuick: values.quick,
      file: path.resolve(folder, values.out ?? `.bench/${name}.json`),
    };
  });
}
