import { commandsIn, exampleIn } from '@waggle/testing';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const root = path.join(__dirname, '..');
const examples = path.join(root, 'examples');

it('type-checks the React example against the built types', () => {
  const tsc = path.join(root, '../../node_modules/typescript-native/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', path.join(examples, 'tsconfig.json')]);
});

it('has the code of the README in the plain page', () => {
  const page = readFileSync(path.join(examples, 'plain.html'), 'utf8');
  for (const line of exampleIn('libs/chat-element/README.md', 'On any page').trim().split('\n'))
    expect(page).toContain(line);
});

it('uses an existing module and existing elements in the plain page', () => {
  const page = readFileSync(path.join(examples, 'plain.html'), 'utf8');
  const module = readFileSync(path.join(root, 'dist/element.js'), 'utf8');
  expect(page).toContain('<script type="module" src="/element.js">');
  const tags = Array.from(page.matchAll(/<(waggle-[a-z-]+)/g), ([, tag]) => tag ?? '');
  expect(tags).toContain('waggle-chat');
  for (const tag of tags) expect(module).toContain(`"${tag}"`);
});

it('has a React component for each element in the README', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const tags = [...readme.matchAll(/^\| `<(waggle-[a-z-]+)>` /gm)].map(([, tag]) => tag);
  const react = readFileSync(path.join(root, 'dist/react.js'), 'utf8');
  expect(tags).toContain('waggle-chat');
  expect(tags.filter((tag) => !react.includes(`"${tag}"`))).toEqual([]);
});

it('is packed with the client, as the README says', () => {
  const [, packing = '', installing] = commandsIn('libs/chat-element/README.md', 'With a bundler');
  const [npm = '', ...words] = packing.split(' ');
  const cwd = path.join(root, '../..');
  const archives = execFileSync(npm, [...words, '--dry-run', '--silent'], { cwd, encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(installing).toBe(`npm install ${archives.map((archive) => `…/${archive}`).join(' ')}`);
});

it('loads at most 70 kB before its first view, as the service compresses it', () => {
  const files = ['app/index.html', 'app/app.css', 'app/app.js', 'element.js'];
  const sizes = files.map((file) => brotliCompressSync(readFileSync(path.join(root, 'dist', file))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(70_000);
});
