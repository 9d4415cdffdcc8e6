import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { examplesReadBy, projectFolders, testFilesUnder } from './test-files';

// Nx repeats the tests of a project, and CI runs them, only if one of their inputs changed.

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const variable = z.object({ env: z.string() });
const inputs = z.array(z.union([z.string(), variable]));
const target = z.object({ inputs });
const workspace = z
  .object({ namedInputs: z.object({ tests: inputs }), targetDefaults: z.object({ test: target }) })
  .parse(JSON.parse(read('nx.json')));
const project = z.object({ targets: z.object({ test: target.partial() }).optional() });

function inputsOf(folder: string): z.infer<typeof inputs> {
  const { targets } = project.parse(JSON.parse(read(`${folder}/project.json`)));
  return targets?.test.inputs ?? workspace.targetDefaults.test.inputs;
}

/** Whether a file outside the project is an input of its tests. */
function isInput(file: string, folder: string): boolean {
  return inputsOf(folder).some((input) => {
    if (typeof input !== 'string' || !input.startsWith('{workspaceRoot}/')) return false;
    const pattern = input
      .slice('{workspaceRoot}/'.length)
      .replaceAll('.', '\\.')
      .replaceAll(/\{([^}]+)\}/g, (_braces, names: string) => `(${names.replaceAll(',', '|')})`)
      .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'));
    return new RegExp(`^${pattern}$`).test(file);
  });
}

/** The files outside the project that its tests name by a path from `__dirname`. */
function filesNamedIn(file: string, folder: string): string[] {
  return [...read(file).matchAll(/__dirname, '(\.\.\/[^']+)'/g)]
    .map(([, relative = '']) => path.join(path.dirname(file), relative))
    .filter((named) => !named.startsWith(`${folder}/`) && !named.startsWith('node_modules/'))
    .filter((named) => statSync(path.join(root, named), { throwIfNoEntry: false })?.isFile());
}

it.each(projectFolders)('the documents and files that the tests of %s read are inputs of them', (folder) => {
  const files = testFilesUnder(folder, { helpers: true }).flatMap((file) => [
    ...examplesReadBy(file).map(({ document }) => document),
    ...filesNamedIn(file, folder),
  ]);
  const outside = [...new Set(files)].filter((file) => !file.startsWith(`${folder}/`));
  expect(outside.filter((file) => !isInput(file, folder))).toEqual([]);
});

/** Set by the test run itself or by its machine. */
const machine = ['CI', 'HOME', 'NODE_EXTRA_CA_CERTS', 'PATH', 'TEST_RUN_ID', 'TMPDIR', 'XDG_CACHE_HOME'];

it('the variables that tests read are inputs of every project', () => {
  expect(projectFolders.filter((folder) => !inputsOf(folder).includes('tests'))).toEqual([]);
  const helpers = readdirSync(path.join(root, 'libs/testing/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `libs/testing/src/${name}`);
  const files = [...projectFolders.flatMap((folder) => testFilesUnder(folder, { helpers: true })), ...helpers];
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/\benv\[?(?:\.|')([A-Z][A-Z_]+)\b(?!'?\]? = )|Variable = '([A-Z_]+)'/g)].map(
      ([, used, constant]) => used ?? constant ?? '',
    ),
  );
  const listed = workspace.namedInputs.tests.flatMap((input) => (typeof input === 'string' ? [] : [input.env]));
  expect([...new Set(names)].filter((name) => !machine.includes(name)).toSorted()).toEqual(listed);
});
