// Types, and the boundaries between projects: who may import whom follows from the `type:` tags in project.json.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;

const projects = ['apps', 'libs']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .concat('tools')
  .filter((folder) => existsSync(path.join(root, folder, 'project.json')))
  .map((folder) => {
    const { tags } = JSON.parse(readFileSync(path.join(root, folder, 'project.json'), 'utf8'));
    return { folder, type: tags.find((tag) => tag.startsWith('type:')).slice('type:'.length) };
  });

const pureProjects = projects.filter(({ type }) => type === 'pure');

/** The types of project that each type may import besides itself. No app is in any list: an app never imports an app. */
const mayImport = {
  pure: [],
  // Runs where none of ours does: in pages, mobile applications and bots.
  client: [],
  lib: ['pure', 'lib'],
  app: ['pure', 'lib'],
  testing: ['pure'],
  tool: ['pure', 'testing', 'client'],
};

/** What the tests of each type may import besides: `client` is tried against the app, and its types against `contracts`. */
const testsMayImport = { ...mayImport, app: [...mayImport.app, 'client'], client: ['pure'] };

const tests = ['**/*.spec.ts', '**/test/**/*.ts'];

/**
 * All that the sources of pure libraries may import besides their own files; the last row that matches a file counts.
 * Another package or module may be a framework, or open a file or a connection.
 */
const pureImports = [
  { files: 'libs/contracts/src/**/*.ts', packages: ['zod'] },
  { files: 'libs/signatures/src/**/*.ts', packages: ['@noble/curves', '@noble/hashes', '@scure/base', 'node:crypto'] },
  // Whoever has `createRequire` can load anything; this one file loads the bindings of libsecp256k1 by it.
  { files: 'libs/signatures/src/native-secp256k1.ts', packages: ['node:module'] },
];

/** All that the sources of clients may import besides their own files; the last row that matches a file counts. */
const clientImports = [
  { files: 'libs/client/src/**/*.ts', packages: [] },
  { files: 'libs/client/src/node-chat.ts', packages: ['ws'] },
];

/** By these a file is free of imports and yet not pure. `no-restricted-imports` sees static imports only. */
const impureGlobals = ['require', 'module', 'process', 'fetch', 'WebSocket', 'EventSource'];

/** The import rule for files that may import these packages, and their own project. */
function onlyThese(packages, message) {
  const others = packages.length === 0 ? '' : `|(?:${packages.join('|')})(?:/|$)`;
  return { 'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!\\.\\.?/${others})`, message }] }] };
}

function purity({ files, packages }) {
  const message = 'A pure library imports no framework and does no input or output: see `pureImports`.';
  return {
    files: [files],
    ignores: tests,
    rules: {
      ...onlyThese(packages, message),
      'no-restricted-syntax': ['error', { selector: 'ImportExpression', message }],
      'no-restricted-globals': [
        'error',
        { globals: impureGlobals.map((name) => ({ name, message })), checkGlobalObject: true },
      ],
    },
  };
}

function portability({ files, packages }) {
  const message = 'A client has no dependency but `ws` on Node, which pages do without: see `clientImports`.';
  return { files: [files], ignores: tests, rules: onlyThese(packages, message) };
}

/** The import rule for one project; its tests may use `testing` besides. */
function boundariesOf({ folder, type }, isTest) {
  const allowed = isTest ? [...testsMayImport[type], 'testing'] : mayImport[type];
  const zones = projects
    .filter((other) => other.folder !== folder && !allowed.includes(other.type))
    .map((other) => ({
      target: `./${folder}`,
      from: `./${other.folder}`,
      message: `${folder} (type:${type}) may not import ${other.folder} (type:${other.type}).`,
    }));
  return { 'import-x/no-restricted-paths': ['error', { basePath: root, zones }] };
}

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.nx/', '.waggle/', '**/coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          noWarnOnMultipleProjects: true,
          project: projects.map(({ folder }) => path.join(root, folder, 'tsconfig.json')),
          conditionNames: ['@waggle/source', 'types', 'node', 'require', 'default'],
        }),
      ],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-extraneous-dependencies': [
        'error',
        { includeTypes: true, devDependencies: [...tests, '**/fixtures/**'] },
      ],
      // Nest modules are classes with nothing in them but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Nest declares the options of its own calls as classes and means plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    // Jest's asymmetric matchers are typed `any`.
    files: tests,
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  ...projects.flatMap((project) => [
    { files: [`${project.folder}/**/*.ts`], ignores: tests, rules: boundariesOf(project, false) },
    { files: tests.map((pattern) => `${project.folder}/${pattern}`), rules: boundariesOf(project, true) },
  ]),
  ...pureProjects.map(({ folder }) => purity({ files: `${folder}/src/**/*.ts`, packages: [] })),
  ...pureImports.map(purity),
  ...clientImports.map(portability),
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
);
