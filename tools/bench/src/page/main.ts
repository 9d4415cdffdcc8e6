import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exitOnError, PlainError, repositoryFolder } from '@waggle/running';
import { readRecord } from '../measure/record';
import { resultsText, withResults } from './results';

const benches = ['chat', 'delegation', 'gateway'];

/** Writes the results of a benchmark into its page. */
function main([bench, ...files]: readonly string[]): void {
  if (bench === undefined || !benches.includes(bench))
    throw new PlainError(`npm run bench:page -- ${benches.join('|')} [file.json …]`);
  const page = path.join(repositoryFolder, `docs/bench-${bench}.md`);
  const paths = (files.length > 0 ? files : [`.bench/${bench}.json`]).map((file) =>
    path.resolve(repositoryFolder, file),
  );
  const missing = paths.find((file) => !existsSync(file));
  if (missing !== undefined) throw new PlainError(`There is no ${missing}: npm run bench:${bench} writes it.`);
  const results = resultsText(paths.map(readRecord));
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), results));
}

exitOnError(Promise.resolve(process.argv.slice(2)).then(main));
