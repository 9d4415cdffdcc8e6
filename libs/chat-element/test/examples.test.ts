import { exampleIn } from '@waggle/testing';
import { build, type Plugin } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const examples = path.join(root, 'examples');

const bundle = async (entry: string, plugins: Plugin[] = []): Promise<string> => {
  const { outputFiles, warnings } = await build({
    entryPoints: [path.join(examples, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    outdir: 'out',
    logLevel: 'silent',
    external: ['./app/*'],
    plugins,
  });
  expect(warnings).toEqual([]);
  return outputFiles.map(({ text }) => text).join('');
};

const svelte: Plugin = {
  name: 'svelte',
  setup(plugins) {
    plugins.onLoad({ filter: /\.svelte$/ }, async ({ path: file }) => {
      const { compile } = await import('svelte/compiler');
      const { js, warnings } = compile(readFileSync(file, 'utf8'), { filename: file, generate: 'client' });
      expect(warnings).toEqual([]);
      return { contents: js.code };
    });
  },
};

it('builds the example for React', async () => {
  expect(await bundle('react.tsx')).toContain('waggle-conversation-list');
});

it('builds the example for Svelte', async () => {
  expect(await bundle('svelte.js', [svelte])).toContain('unread-changed');
});

it('checks the types of the example for React against the types that are built', () => {
  const tsc = path.join(root, '../../node_modules/typescript-native/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', path.join(examples, 'tsconfig.json')]);
});

it('shows in the README what the plain page has', () => {
  const page = readFileSync(path.join(examples, 'plain.html'), 'utf8');
  for (const line of exampleIn('libs/chat-element/README.md', 'On any page').trim().split('\n'))
    expect(page).toContain(line);
});

it('has in the plain page the module and the element that exist', () => {
  const page = readFileSync(path.join(examples, 'plain.html'), 'utf8');
  const module = readFileSync(path.join(root, 'dist/element.js'), 'utf8');
  expect(page).toContain('<script type="module" src="/element.js">');
  for (const [, tag] of page.matchAll(/<(waggle-[a-z-]+)/g)) expect(module).toContain(`"${tag}"`);
});
