import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** The names that a built file uses of a package. */
interface PackageImport {
  readonly file: string;
  readonly specifier: string;
  readonly names: readonly string[];
}

/**
 * Finds the imports of packages and of modules of Node in the CommonJS files that were built from the `src` of a
 * project.
 */
function importsOfPackages(project: string): PackageImport[] {
  const [src, dist] = [path.join(root, project, 'src'), path.join(root, project, 'dist')];
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(dist, file.replace(/ts$/, 'js')))
    .filter((file) => existsSync(file))
    .flatMap((file) => importsOf(file, readFileSync(file, 'utf8')));
}

function importsOf(file: string, text: string): PackageImport[] {
  const required = text.matchAll(/^(?:const|var) (\w+) = (?:__import\w+\()?require\("([^."][^"]*)"\)/gm);
  return [...required].map(([, variable = '', specifier = '']) => {
    const uses = text.matchAll(new RegExp(String.raw`\b${variable}\.(\w+)`, 'g'));
    return { file, specifier, names: [...new Set([...uses].map(([, name = '']) => name))] };
  });
}

/** Runs outside of Jest, whose module loader differs from Node's. Prints the imports of names that do not exist. */
const checker = `
  const { createRequire } = require('node:module');
  const imports = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const missing = imports.flatMap(({ file, specifier, names }) => {
    const loaded = createRequire(file)(specifier);
    const exists = (name) => name in Object(loaded) || (name === 'default' && !loaded.__esModule);
    return names.filter((name) => !exists(name)).map((name) => file + ': ' + specifier + ' has no ' + name);
  });
  process.stdout.write(JSON.stringify(missing), () => process.exit());
`;

it('every name that the built code imports from a package exists, whatever its types declare', () => {
  const projects = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  );
  const imports = projects.flatMap(importsOfPackages);
  expect(imports.length).toBeGreaterThan(500);
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', checker], {
    input: JSON.stringify(imports),
    encoding: 'utf8',
  });
  expect([stderr, stdout]).toEqual(['', '[]']);
});
