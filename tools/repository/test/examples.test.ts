import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { examplesOf, markdownFiles, statementsIn } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { argumentsOfOwnScript, checkCommand, programs } from './documented-commands/check-command';
import { unknownToScript } from './documented-commands/own-scripts';
import { commandsOf } from './documented-commands/shell';
import { examplesReadBy, testFilesUnder } from './test-files';

/**
 * Checks the examples of all documents:
 *
 * - A test reads an example with `exampleIn(file, section)` or `commandsIn(file, section)` and runs it.
 * - Commands are checked by a rule for each program (`documented-commands`): our own commands must know the options, Nx
 *   targets and npm scripts must exist. kubectl parses each command, without a cluster. docker, kind and PostgreSQL's
 *   clients are not called; files, stages, arguments and options must exist.
 * - SQL statements between backquotes are read with `statementsIn(file)`.
 * - Each name in a tree of folders, which is a `text`, must exist. Other texts and `mermaid` are drawings.
 */
const root = path.resolve(__dirname, '../../..');
const documents = markdownFiles();
const examples = documents.flatMap(examplesOf);

/** The examples that tests read, as `file: section`. */
const tested = new Set(
  ['apps', 'libs', 'tools']
    .flatMap((folder) => testFilesUnder(folder))
    .flatMap(examplesReadBy)
    .flatMap(({ document, section }) => (section === undefined ? [] : [`${document}: ${section}`])),
);

const isTested = ({ file, section }: { file: string; section?: string }) => tested.has(`${file}: ${section ?? ''}`);

it('every document with SQL statements has a test that runs them', () => {
  const read = ['apps', 'libs'].flatMap((folder) => testFilesUnder(folder)).flatMap(examplesReadBy);
  const lacking = documents.filter(
    (file) =>
      statementsIn(file).length > 0 &&
      !read.some(({ document, section }) => document === file && section === undefined),
  );
  expect(lacking).toEqual([]);
});

/** Commands between backquotes in the text, with `<name>` as a placeholder. A command with `…` is not complete. */
const inline = documents.flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*`{3,}[^]*?^\s*`{3,}/gm, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ''], index, all) => {
    const words = code.replace(/^(?:[A-Z_]+=\S+ )+/, '').split(' ');
    if (words.length < 2 || !programs.includes(words[0] ?? '') || code.includes('…') || code === 'kubectl kustomize')
      return [];
    const line = text.slice(0, all[index]?.index).split('\n').length;
    return [{ file, line, text: code.replaceAll(/[<[](\w+)[\]>]/g, '$1') }];
  });
});
const blocks = examples.filter(({ language }) => language === 'sh');
const commands = [...blocks, ...inline].flatMap((example) =>
  commandsOf(example.text).map((command) => ({ example, command })),
);

it('all documents are read', () => {
  expect(documents.length).toBeGreaterThan(40);
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/runbooks/chat.md', 'libs/client/README.md']));
  expect(blocks.length).toBeGreaterThan(30);
});

it('every example is run by a test, or is a command, a tree or a diagram', () => {
  const orphans = examples.filter(
    (example) => !isTested(example) && !['sh', 'text', 'mermaid'].includes(example.language),
  );
  expect(
    orphans.map(({ file, line, section }) => `${file}:${line} "${section}": no test reads it with exampleIn`),
  ).toEqual([]);
});

it('tests read only examples that exist', () => {
  const existing = new Set(examples.map(({ file, section }) => `${file}: ${section}`));
  expect([...tested].filter((example) => !existing.has(example))).toEqual([]);
});

it('every block of commands is valid for a shell', () => {
  for (const { file, line, text } of blocks) {
    const { stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
    expect(`${file}:${line} ${stderr}`).toBe(`${file}:${line} `);
  }
});

it('every command names existing things and options', () => {
  const problems = commands.flatMap(({ example, command }) => {
    const isRun = isTested(example);
    return checkCommand(command, { file: example.file, isRun }).map(
      (problem) => `${example.file}:${example.line} ${command.words.join(' ')}: ${problem}`,
    );
  });
  expect(problems).toEqual([]);
});

it('reports what a command names that does not exist', () => {
  const [command] = commandsOf('docker build -f docker/Dockerfile --target nosuch .');
  expect(command && checkCommand(command, { file: 'README.md', isRun: false })).toEqual(['there is no stage nosuch']);
});

it('our own commands accept the options that documents pass', () => {
  const passed = new Map<string, string[]>();
  for (const { command } of commands) {
    const own = argumentsOfOwnScript(command);
    if (own === undefined || !own.args.some((arg) => arg.startsWith('--'))) continue;
    passed.set(own.script, [...(passed.get(own.script) ?? []), ...own.args]);
  }
  expect(passed.size).toBeGreaterThan(7);
  // In the short form every second one: each is a process that loads its modules.
  for (const [script, args] of [...passed].filter((_each, index) => isLong || index % 2 === 0))
    expect([script, unknownToScript(script, args)]).toEqual([script, '']);
});

it('every folder and file of a tree exists', () => {
  const trees = examples.filter(({ language, text }) => language === 'text' && !/[│┌└]/.test(text));
  expect(trees.length).toBeGreaterThan(1);
  const missing = trees.flatMap(({ file, text }) => {
    let above = file.startsWith('k8s/') ? 'k8s' : '';
    const base = above;
    return text.split('\n').flatMap((line) => {
      const [, indent = '', names = ''] = /^( *)(\S+(?:, \S+)*)/.exec(line) ?? [];
      const entries = names.split(',').map((name) => name.trim().replace(/<\w+>/, 'chat').replace(/\/$/, ''));
      const folder = indent === '' ? base : above;
      const [first = ''] = entries;
      if (indent === '' && first !== '') above = path.join(base, first);
      return entries
        .filter((name) => name !== '')
        .map((name, index) => path.join(folder, index === 0 ? '' : path.dirname(first), name))
        .filter((name) => !existsSync(path.join(root, name)))
        .map((name) => `${file}: ${name}`);
    });
  });
  expect(missing).toEqual([]);
});
