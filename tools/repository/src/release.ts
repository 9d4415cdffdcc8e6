import path from 'node:path';
import { parseArgs } from 'node:util';
import { explain } from '@waggle/running';
import { commitRelease, planRelease, previewOf } from './release/release';
import { Repository } from './release/repository';
import { packServer } from './release/server-archive';

/**
 * Prints what a release would change; with `--write` it writes, commits and tags the release. With `--pack` it only
 * packs the archive for servers.
 */
function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, pack: { type: 'boolean', default: false } },
  });
  const root = path.resolve(__dirname, '../../..');
  if (values.pack) {
    console.log(packServer(root));
    return;
  }
  const repository = new Repository(root);
  const release = planRelease(repository, positionals[0], new Date());
  console.log(previewOf(repository, release));
  if (!values.write) {
    console.log(`\nNothing was changed. With --write this is committed and tagged ${release.tag}.`);
    return;
  }
  commitRelease(repository, release);
  console.log(`\nCommitted and tagged ${release.tag}. To publish it: git push --follow-tags`);
}

try {
  main();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
