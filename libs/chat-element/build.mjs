// Builds dist/element.js (the module for other pages), dist/react.js, and dist/app (the page that the chat service
// serves), and prints what a browser downloads.
import { build, transform } from 'esbuild';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

/** Modules that a page loads when it needs them, each a file of its own in dist/app. */
const lazy = {
  'sign-in/key-signer': 'key-signer.js',
  'sign-in/aioha': 'aioha.js',
  'i18n/es': 'es.js',
  'i18n/ko': 'ko.js',
};

/** Leaves the lazy modules out of a bundle, which then loads them from the folder. */
const loadedFrom = (folder) => ({
  name: 'lazy',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: specifier, resolveDir, kind }) => {
      const module = path.relative(path.join(root, 'src'), path.resolve(resolveDir, specifier));
      const file = kind === 'dynamic-import' ? lazy[module.split(path.sep).join('/')] : undefined;
      return file === undefined ? undefined : { path: folder + file, external: true };
    });
  },
});

/** Includes a style sheet as text. */
const styles = {
  name: 'styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async (file) => {
      const { code } = await transform(await readFile(file.path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};

/** Includes a picture as a template, which no Content-Security-Policy concerns. */
const pictures = {
  name: 'pictures',
  setup({ onLoad }) {
    onLoad({ filter: /\.svg$/ }, async (file) => {
      const picture = (await readFile(file.path, 'utf8')).replace(/\s+/g, ' ');
      return { contents: `import { html } from 'lit';\nexport default html\`${picture}\`;`, resolveDir: root };
    });
  },
};

/** Removes the indentation of templates, and from style sheets what means nothing. esbuild leaves both as they are. */
const compact = {
  name: 'compact',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async (file) => {
      const code = await readFile(file.path, 'utf8');
      const sheet = (text) =>
        text
          .replace(/\/\*.*?\*\//gs, '')
          .replace(/\s+/g, ' ')
          .replace(/ ?([{};]) ?/g, '$1')
          .replace(/([:,]) /g, '$1')
          .replaceAll(';}', '}');
      return { contents: code.replace(/\bcss`[^`]*`/g, sheet).replace(/\n[ ]+/g, '\n'), loader: 'ts' };
    });
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  define: { packageVersion: JSON.stringify(version) },
  conditions: ['@waggle/source', 'browser'],
  minify: true,
  legalComments: 'linked',
  sourcemap: 'linked',
  logLevel: 'warning',
};

await rm(path.join(dist, 'app'), { recursive: true, force: true });
await mkdir(path.join(dist, 'app'), { recursive: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/index.ts'],
    outfile: 'dist/element.js',
    plugins: [styles, pictures, compact, loadedFrom('./app/')],
  }),
  build({
    ...shared,
    entryPoints: ['src/app/app.ts'],
    outfile: 'dist/app/app.js',
    plugins: [styles, pictures, compact, loadedFrom('./')],
  }),
  build({
    ...shared,
    entryPoints: Object.entries(lazy).map(([module, file]) => ({ in: `src/${module}.ts`, out: file.slice(0, -3) })),
    outdir: 'dist/app',
    splitting: true,
    chunkNames: '[name]-[hash]',
  }),
  build({
    ...shared,
    entryPoints: ['src/react.ts'],
    outfile: 'dist/react.js',
    external: ['react', '@waggle/chat-element'],
  }),
  build({ ...shared, sourcemap: false, entryPoints: ['src/app/app.css'], outfile: 'dist/app/app.css' }),
  cp(path.join(root, 'src/app/index.html'), path.join(dist, 'app/index.html')),
  cp(fileURLToPath(import.meta.resolve('@waggle/design/mark.svg')), path.join(dist, 'app/icon.svg')),
]);

for (const [name, files] of [
  ['/app/ before the parts that it loads later', ['app/index.html', 'app/app.css', 'app/app.js']],
  ['/element.js', ['element.js']],
]) {
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(path.join(dist, file))).length));
  console.log(`${name}: ${(sizes.reduce((sum, size) => sum + size) / 1000).toFixed(1)} kB compressed`);
}
