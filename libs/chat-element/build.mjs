// Builds dist/element.js (the module for other pages), dist/react.js, dist/server.js (the module for rendering on
// a server), dist/app (the page that the chat service serves, and what the modules load) and dist/headless.js (for
// tests), and prints what a browser downloads.
import { build, transform } from 'esbuild';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { addImportExtensions } from '../../tools/add-import-extensions.mjs';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');
const entry = 'src/index.ts';
const { version, dependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

/**
 * Modules that a page loads when it needs them, each a file in dist/app. They import what they share from element.js.
 */
const lazy = {
  confirm: 'elements/waggle-confirm',
  details: 'conversations/waggle-conversation-details',
  embed: 'embed',
  'emoji-en': 'emoji/en',
  'emoji-es': 'emoji/es',
  'emoji-ko': 'emoji/ko',
  'emoji-picker': 'emoji/waggle-emoji-picker',
  es: 'i18n/es',
  ko: 'i18n/ko',
  lightbox: 'attachments/waggle-lightbox',
  mentions: 'mentions/waggle-mentions',
  'new-conversation': 'conversations/waggle-new-conversation',
  palette: 'commands/waggle-palette',
  people: 'people/waggle-people',
  revisions: 'messages/waggle-revisions',
  search: 'search/waggle-search',
  settings: 'settings/waggle-settings',
  shortcuts: 'commands/waggle-shortcuts',
  upload: 'attachments/upload',
  uploads: 'composer/waggle-uploads',
};

/** Such modules that share nothing. */
const alone = { aioha: 'sign-in/aioha', 'key-signer': 'sign-in/key-signer' };

/** Leaves modules out of a bundle, which then loads them from these addresses. */
const external = (addresses) => ({
  name: 'external',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: specifier, resolveDir }) => {
      const module = path.relative(path.join(root, 'src'), path.resolve(resolveDir, specifier));
      const address = addresses[module.split(path.sep).join('/')];
      return address === undefined ? undefined : { path: address, external: true };
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

/** Includes what this package uses of the data of emoji, a third of it. */
const emoji = {
  name: 'emoji',
  setup({ onLoad }) {
    onLoad({ filter: /emojibase-data.*\/data\.json$/ }, async (file) => {
      const entries = JSON.parse(await readFile(file.path, 'utf8'));
      const used = entries.map(({ emoji, label, tags, group, version }) => ({ emoji, label, tags, group, version }));
      return { contents: JSON.stringify(used), loader: 'json' };
    });
    onLoad({ filter: /emojibase-data.*\/messages\.json$/ }, async (file) => {
      const { groups } = JSON.parse(await readFile(file.path, 'utf8'));
      return { contents: JSON.stringify({ groups }), loader: 'json' };
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

/**
 * Removes the indentation of templates, and comments and white space of style sheets; esbuild leaves both as they are.
 * Lets each lazy module import the entry point, so that esbuild puts all code that is loaded at first into one chunk.
 */
const sources = {
  name: 'sources',
  setup({ onLoad }) {
    const lazyFiles = new Set(Object.values(lazy).map((module) => path.join(root, `src/${module}.ts`)));
    onLoad({ filter: /\.ts$/ }, async (file) => {
      const code = await readFile(file.path, 'utf8');
      const sheet = (text) =>
        text
          .replace(/\/\*.*?\*\//gs, '')
          .replace(/\s+/g, ' ')
          .replace(/ ?([{};]) ?/g, '$1')
          .replace(/([:,]) /g, '$1')
          .replaceAll(';}', '}');
      const compact = code.replace(/\bcss`[^`]*`/g, sheet).replace(/\n[ ]+/g, '\n');
      const first = lazyFiles.has(file.path) ? `import ${JSON.stringify(path.join(root, entry))};` : '';
      return { contents: first + compact, loader: 'ts' };
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
const dynamicImports = Object.fromEntries(
  Object.entries({ ...lazy, ...alone }).map(([file, module]) => [module, `./app/${file}.js`]),
);
const inApp = (modules) =>
  Object.entries(modules).map(([file, module]) => ({ in: `src/${module}.ts`, out: `app/${file}` }));
await Promise.all([
  build({
    ...shared,
    entryPoints: [{ in: entry, out: 'element' }, ...inApp(lazy)],
    outdir: 'dist',
    splitting: true,
    chunkNames: 'app/[name]-[hash]',
    plugins: [
      external(Object.fromEntries(Object.entries(alone).map(([file, module]) => [module, `./${file}.js`]))),
      styles,
      pictures,
      emoji,
      sources,
    ],
  }),
  build({ ...shared, entryPoints: inApp(alone), outdir: 'dist', splitting: true, chunkNames: 'app/[name]-[hash]' }),
  build({
    ...shared,
    entryPoints: ['src/app/app.ts'],
    outfile: 'dist/app/app.js',
    plugins: [external({ index: '../element.js' })],
  }),
  build({
    ...shared,
    entryPoints: ['src/react.ts'],
    outfile: 'dist/react.js',
    // The components have state, so Next.js renders them in the browser, too.
    banner: { js: "'use client';" },
    external: ['react', '@waggle/chat-element'],
  }),
  // For rendering on a server: Lit's build for Node.js needs no document. It never runs the dynamic imports.
  build({
    ...shared,
    entryPoints: [{ in: entry, out: 'server' }],
    outdir: 'dist',
    platform: 'node',
    conditions: ['@waggle/source', 'node'],
    external: Object.keys(dependencies),
    sourcemap: false,
    plugins: [external(dynamicImports), styles, pictures],
  }),
  build({
    ...shared,
    entryPoints: ['src/headless.ts'],
    outfile: 'dist/headless.js',
    platform: 'node',
    external: ['@waggle/client'],
  }),
  build({ ...shared, sourcemap: false, entryPoints: ['src/app/app.css'], outfile: 'dist/app/app.css' }),
  cp(path.join(root, 'src/app/index.html'), path.join(dist, 'app/index.html')),
  cp(fileURLToPath(import.meta.resolve('@waggle/design/mark.svg')), path.join(dist, 'app/icon.svg')),
]);
await moveIntoElement();
await addImportExtensions(path.join(dist, 'types'));

/**
 * Moves the chunk of the code that is loaded at first into element.js, which esbuild only lets import it. A page then
 * loads one file: while two versions are served, as in a rolling update, it could not load both files of one version.
 */
async function moveIntoElement() {
  const read = (file) => readFile(path.join(dist, file), 'utf8');
  const facade = await read('element.js');
  const [, imported, chunk] = /^import\{([^}]*)\}from"\.\/(app\/chunk-\w+\.js)";export/.exec(facade) ?? [];
  if (chunk === undefined) throw new Error(`element.js is not what esbuild usually makes: ${facade}`);
  const code = await read(chunk);
  const exported = Array.from(code.matchAll(/export\{([^}]*)\};/g)).at(-1)?.[1] ?? '';
  // Each is `name as other`.
  const pairs = (list) => list.split(',').map((each) => each.split(' as '));
  const inChunk = new Map(pairs(exported).map(([local, name]) => [name, local]));
  const inFacade = new Map(pairs(imported).map(([name, local]) => [local, inChunk.get(name)]));
  const publicNames = pairs(/export\{([^}]*)\}/.exec(facade)[1]).map(
    ([local, name]) => `${inFacade.get(local)} as ${name}`,
  );
  const element = code
    .replace(`export{${exported}}`, `export{${exported},${publicNames.join(',')}}`)
    .replaceAll('import("./', 'import("./app/')
    .replaceAll(path.basename(chunk), 'element.js');
  await writeFile(path.join(dist, 'element.js'), element);
  for (const suffix of ['.map', '.LEGAL.txt'])
    await rename(path.join(dist, chunk + suffix), path.join(dist, `element.js${suffix}`));
  await rm(path.join(dist, chunk));
  for (const name of await readdir(path.join(dist, 'app'))) {
    if (!name.endsWith('.js')) continue;
    const file = `app/${name}`;
    await writeFile(
      path.join(dist, file),
      (await read(file)).replaceAll(`"./${path.basename(chunk)}"`, '"../element.js"'),
    );
  }
}

for (const [name, files] of [
  ['/app/ before the parts that it loads later', ['app/index.html', 'app/app.css', 'app/app.js', 'element.js']],
  ['/element.js', ['element.js']],
]) {
  const sizes = await Promise.all(
    files.map(async (file) => brotliCompressSync(await readFile(path.join(dist, file))).length),
  );
  console.log(`${name}: ${(sizes.reduce((sum, size) => sum + size) / 1000).toFixed(1)} kB compressed`);
}
