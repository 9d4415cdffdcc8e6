import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The packages that a file and all files of ours behind it name, also where only types are taken from them. */
function packagesBehind(entry: string): string[] {
  const packages = new Set<string>();
  const files = [entry];
  for (const file of files) {
    const source = readFileSync(path.join(__dirname, `${file}.ts`), 'utf8');
    for (const [, name] of source.matchAll(/(?:from |import\(|require\(|import )'([^']+)'/g)) {
      if (name === undefined) continue;
      const ours = name.startsWith('./') ? name.slice(2) : undefined;
      if (ours === undefined) packages.add(name);
      else if (!files.includes(ours)) files.push(ours);
    }
  }
  expect(files.length).toBeGreaterThan(20);
  return [...packages];
}

it('brings no package into a page', () => {
  expect(packagesBehind('browser')).toEqual([]);
});

it('brings ws, and nothing else, to Node', () => {
  expect(packagesBehind('index')).toEqual(['ws']);
});

it('calls nothing that browsers of 2020 do not have', () => {
  // Of later than that it has only an argument that others ignore: the cause of an error.
  const compiler = path.join(path.dirname(require.resolve('typescript-native/package.json')), 'bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.browser.json'], {
    cwd: path.join(__dirname, '..'),
    encoding: 'utf8',
  });
  expect([stdout, status]).toEqual(['', 0]);
});
