import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { examplesOf, markdownFiles, statementsIn } from '@waggle/testing';
import { argumentsOfOwnScript, faultsOf, programs } from './documented-commands/faults-of';
import { unknownToScript } from './documented-commands/own-scripts';
import { commandsOf } from './documented-commands/shell';

/**
 * Every example of every document, and what runs it:
 *
 * - A test that takes it by `exampleIn(file, section)` or `commandsIn(file, section)`, and so runs what the document has.
 * - Commands have a rule for each program besides (`documented-commands`). Ours are asked whether they know the options, Nx' targets
 *   and npm's scripts are looked up. kubectl reads each command itself, but there is no cluster; docker, kind and PostgreSQL's
 *   clients are not called: files, stages, arguments and options are looked up.
 * - Statements of SQL in the text, between backquotes, are taken by `statementsIn(file)`.
 * - Of a tree of folders, which is a `text`, each name has to be there. Other texts are drawings.
 */
const root = path.resolve(__dirname, '../../..');
const documents = markdownFiles();
const examples = documents.flatMap(examplesOf);

/** What tests take, as `file: section`. */
const taken = new Set(
  ['apps', 'libs', 'tools'].flatMap(testsUnder).flatMap((file) => {
    const calls = readFileSync(path.join(root, file), 'utf8').matchAll(
      /(?:exampleIn|commandsIn)\(\s*'([^']+)',\s*'([^']+)',?\s*\)/g,
    );
    return [...calls].map(([, document = '', section = '']) => `${document}: ${section}`);
  }),
);

function testsUnder(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : testsUnder(file);
    return /\.(test|spec)\.ts$/.test(entry.name) ? [file] : [];
  });
}

const isTaken = ({ file, section }: { file: string; section?: string }) => taken.has(`${file}: ${section ?? ''}`);

it('every document with statements of SQL has a test that runs them', () => {
  const tests = ['apps', 'libs'].flatMap(testsUnder).map((file) => readFileSync(path.join(root, file), 'utf8'));
  const lacking = documents.filter(
    (file) => statementsIn(file).length > 0 && !tests.some((text) => text.includes(`statementsIn('${file}')`)),
  );
  expect(lacking).toEqual([]);
});

/** Commands between backquotes in the text, with `<name>` for what is to be put in; those that leave something out are none. */
const inline = documents.flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*`{3,}[^]*?^\s*`{3,}/gm, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ''], index, all) => {
    const words = code.split(' ');
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

it('has an eye on all documents', () => {
  expect(documents.length).toBeGreaterThan(40);
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/runbooks/chat.md', 'libs/client/README.md']));
  expect(blocks.length).toBeGreaterThan(30);
});

it('every example is taken by a test that runs it, or is a command or a tree', () => {
  const orphans = examples.filter((example) => !isTaken(example) && !['sh', 'text'].includes(example.language));
  expect(
    orphans.map(({ file, line, section }) => `${file}:${line} "${section}": no test takes it by exampleIn`),
  ).toEqual([]);
});

it('a test takes only what is there', () => {
  const there = new Set(examples.map(({ file, section }) => `${file}: ${section}`));
  expect([...taken].filter((place) => !there.has(place))).toEqual([]);
});

it('every block of commands is one that a shell can read', () => {
  for (const { file, line, text } of blocks) {
    const { stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
    expect(`${file}:${line} ${stderr}`).toBe(`${file}:${line} `);
  }
});

it('every command names what is there, with options that its program knows', () => {
  const faults = commands.flatMap(({ example, command }) => {
    const isRun = isTaken(example);
    return faultsOf(command, { file: example.file, isRun }).map(
      (fault) => `${example.file}:${example.line} ${command.words.join(' ')}: ${fault}`,
    );
  });
  expect(faults).toEqual([]);
}, 120_000);

it('every command of ours knows the options that documents give it', () => {
  const asked = new Map<string, string[]>();
  for (const { command } of commands) {
    const own = argumentsOfOwnScript(command);
    if (own === undefined || !own.args.some((arg) => arg.startsWith('--'))) continue;
    asked.set(own.script, [...(asked.get(own.script) ?? []), ...own.args]);
  }
  expect(asked.size).toBeGreaterThan(7);
  for (const [script, args] of asked) expect([script, unknownToScript(script, args)]).toEqual([script, '']);
}, 120_000);

it('every folder and file of a tree is there', () => {
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
