import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explain, PlainError, repositoryFolder } from '@waggle/running';
import { readRecord } from '../measure/record';
import { resultsText, withResults } from './results';

/** Writes the results of a benchmark into its page. */
function main([bench, ...files]: readonly string[]): void {
  const page = path.join(repositoryFolder, `docs/bench-${bench ?? ''}.md`);
  if (bench === undefined || !existsSync(page))
    throw new PlainError('npm run bench:page -- chat|delegation|login|gateway [file.json …]');
  const records = files.length > 0 ? files : [`.bench/${bench}.json`];
  const results = resultsText(records.map((file) => readRecord(path.resolve(repositoryFolder, file))));
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), results));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
