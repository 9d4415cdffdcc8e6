import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the packages that a file and the files that it imports name, including type imports. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const files = [entry];
  for (const file of files) {
    const source = readFileSync(path.join(__dirname, `${file}.ts`), 'utf8');
    for (const [, name] of source.matchAll(/(?:from |import\(|require\(|import )'([^']+)'/g)) {
      if (name === undefined) continue;
      const local = name.startsWith('.') ? path.join(path.dirname(file), name) : undefined;
      if (local === undefined) packages.add(name);
      else if (!files.includes(local)) files.push(local);
    }
  }
  expect(files.length).toBeGreaterThan(5);
  return [...packages];
}

it.each(['browser', 'notifications'])('imports no package in a page: %s', (entry) => {
  expect(packagesOf(entry)).toEqual([]);
});

it('imports only ws on Node.js', () => {
  expect(packagesOf('index')).toEqual(['ws']);
});

it('uses only platform APIs that browsers have had since 2020', () => {
  // Except the cause of an error, an argument that older browsers ignore.
  const compiler = path.join(path.dirname(require.resolve('typescript-native/package.json')), 'bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.browser.json'], {
    cwd: path.join(__dirname, '..'),
    encoding: 'utf8',
  });
  expect([stdout, status]).toEqual(['', 0]);
});
