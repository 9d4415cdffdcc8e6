// Bundles each page into dist/<page>/ and checks its size.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = import.meta.dirname;
/** The explorer is served at `/`, and its files below `/explorer/`; the status page and its files at `/status/`. */
const pages = [
  { page: 'explorer', files: 'explorer' },
  { page: 'status', files: '' },
];
const maxKilobytes = 60;

for (const { page, files } of pages) {
  const source = (name) => path.join(folder, 'src', page, name);
  const output = path.join(folder, 'dist', page);
  rmSync(output, { recursive: true, force: true });
  await build({
    entryPoints: [source(`${page}.ts`), source(`${page}.css`)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    outdir: path.join(output, files),
    logLevel: 'warning',
  });
  cpSync(source('index.html'), path.join(output, 'index.html'));
  cpSync(fileURLToPath(import.meta.resolve('@waggle/design/mark.svg')), path.join(output, files, 'icon.svg'));
  const bytes = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => brotliCompressSync(readFileSync(path.join(parentPath, name))).length)
    .reduce((total, size) => total + size, 0);
  console.log(`${page}: ${(bytes / 1000).toFixed(1)} kB compressed`);
  if (bytes > maxKilobytes * 1000) throw new Error(`${page} is larger than ${maxKilobytes} kB`);
}
