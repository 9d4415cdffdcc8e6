import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

interface Packed {
  archive: string;
  files: string[];
}

/** Packs a project, and lists the files in the archive. */
function pack(folder: string, destination: string): Packed {
  const args = ['pack', '--json', '--pack-destination', destination, '--workspace', folder];
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  return { archive: path.join(destination, filename), files: files.map((file) => file.path) };
}

/** Runs outside of Jest, which cannot load these modules. Leaves out `node10`: TypeScript deprecates it. */
const checker = `
  import { readFileSync } from 'node:fs';
  import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
  import { publint } from 'publint';
  const archive = readFileSync(process.argv[1]);
  const { problems } = await checkPackage(createPackageFromTarballData(archive));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(archive).buffer } });
  const types = problems.filter(({ resolutionKind }) => resolutionKind !== 'node10');
  console.log(JSON.stringify([...types.map(({ kind, entrypoint }) => kind + ' ' + entrypoint), ...messages.map(({ code }) => code)]));
`;

/** The problems that publint and arethetypeswrong find. */
function problemsOf(archive: string): unknown {
  const args = ['--input-type=module', '-e', checker, archive];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: path.join(__dirname, '..'), encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

let folder: string;
let packages: Record<'client' | 'signatures' | 'chat-element', Packed>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waggle-packages-'));
  const packed = (name: string) => pack(`libs/${name}`, folder);
  packages = { client: packed('client'), signatures: packed('signatures'), 'chat-element': packed('chat-element') };
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(['client', 'signatures', 'chat-element'] as const)('@waggle/%s has documents and no tests', (name) => {
  const { files } = packages[name];
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
  expect(files.filter((file) => /\.(spec|test)\.|tsbuildinfo/.test(file))).toEqual([]);
});

it.each(['client', 'signatures'] as const)('@waggle/%s has types for import and require', (name) => {
  expect(problemsOf(packages[name].archive)).toEqual([]);
});

it('@waggle/chat-element has types for import, and for a Node.js that requires ECMAScript modules', () => {
  const expected = ['.', './react', './headless'].map((entry) => `CJSResolvesToESM ${entry}`);
  expect(problemsOf(packages['chat-element'].archive)).toEqual(expected);
});

describe('a project that installs the archives', () => {
  let project: string;
  beforeAll(() => {
    project = path.join(folder, 'project');
    for (const [name, { archive }] of Object.entries(packages)) {
      const target = path.join(project, 'node_modules/@waggle', name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', target]);
    }
    const declared = Object.keys(packages).flatMap((name) => Object.keys(manifestOf(name).dependencies ?? {}));
    const added = ['react', 'react-dom', '@types/react', 'csstype'];
    for (const name of new Set([...declared.filter((each) => !each.startsWith('@waggle/')), ...added])) {
      mkdirSync(path.dirname(path.join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
    }
  });

  function manifestOf(name: string): { dependencies?: Record<string, string> } {
    const file = path.join(project, 'node_modules/@waggle', name, 'package.json');
    return JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  }

  function run(file: string, code: string): string {
    writeFileSync(path.join(project, file), code);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8' });
    // Node.js 20 warns that requiring ECMAScript modules is experimental.
    return stdout + stderr.replace(/^\(.*(ExperimentalWarning|--trace-warnings).*\n/gm, '');
  }

  it.each([
    ['module.mjs', (name: string) => `import * as loaded from '@waggle/${name}'`],
    ['script.cjs', (name: string) => `const loaded = require('@waggle/${name}')`],
  ])('loads them in %s', (file, load) => {
    const loaded = (name: string, used: string) => run(file, `${load(name)}; console.log(typeof loaded.${used})`);
    expect(loaded('client', 'Chat')).toBe('function\n');
    expect(loaded('client/browser', 'Chat')).toBe('function\n');
    expect(loaded('client/notifications', 'NotificationStream')).toBe('function\n');
    expect(loaded('signatures', 'recoverPublicKey')).toBe('function\n');
    expect(loaded('chat-element', 'WaggleChat')).toBe('function\n');
  });

  it('have one copy of the client in a process', () => {
    const code = `
      import { RejectedError } from '@waggle/client';
      import * as page from '@waggle/client/browser';
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('@waggle/client');
      console.log([required, page].map((each) => String(each.RejectedError === RejectedError)).join(' '));
    `;
    expect(run('copies.mjs', code)).toBe('true true\n');
  });

  it('renders elements and hooks on a server', () => {
    const code = `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { useChat, useConversation, useUnread, WaggleChat } from '@waggle/chat-element/react';
      function Page() {
        const { messages } = useConversation('c', 'https://chat.example');
        const shown = [useChat('https://chat.example').phase, useUnread('https://chat.example'), messages.length];
        return createElement('p', {}, shown.join(), createElement(WaggleChat, { server: 'https://chat.example' }));
      }
      console.log(renderToString(createElement(Page)));
    `;
    expect(run('server.mjs', code)).toBe('<p>starting,0,0<waggle-chat defer-hydration=""></waggle-chat></p>\n');
  });

  it.each([
    ['NodeNext', 'page.mts'],
    ['NodeNext', 'page.cts'],
    ['Bundler', 'page.ts'],
  ])('type-checks them with the module resolution %s: %s', (moduleResolution, file) => {
    const code = `
      import { Chat, type Message } from '@waggle/client';
      import { keySuffices } from '@waggle/signatures';
      ${file === 'page.cts' ? '' : "import { useConversation, WaggleChat } from '@waggle/chat-element/react';\nimport '@waggle/chat-element';\ndocument.querySelector('waggle-chat')?.closePane();\nexport const hooks = [useConversation('c').messages.map(({ from }) => from.length), WaggleChat];"}
      export const from = (message: Message): string => message.from;
      // @ts-expect-error A misspelled property.
      export const wrong = (message: Message) => message.form;
      export const used = [Chat, keySuffices];
    `;
    writeFileSync(path.join(project, file), code);
    const options = {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: [],
      module: moduleResolution === 'Bundler' ? 'ESNext' : 'NodeNext',
      moduleResolution,
    };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [file] }));
    const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');
    expect(spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' }).stdout).toBe('');
  });
});
