import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Adds file extensions to the relative imports of all modules and declarations in a folder, `./chat.js` instead of
 * `./chat`: Node.js, browsers and TypeScript's `NodeNext` do not look for them in ECMAScript modules.
 */
export async function addImportExtensions(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const file = path.join(folder, name);
    const code = await readFile(file, 'utf8');
    const changed = code.replace(
      /(?<before>\b(?:from|import) ?\(?)(?<quote>['"])(?<specifier>\.{1,2}\/[^'"]*)\k<quote>/g,
      (_, before, quote, specifier) => `${before}${quote}${withExtension(specifier, path.dirname(file))}${quote}`,
    );
    if (changed !== code) await writeFile(file, changed);
  }
}

function withExtension(specifier, folder) {
  const found = ['', '.js', '/index.js']
    .map((end) => specifier + end)
    .find((name) => name.endsWith('.js') && existsSync(path.resolve(folder, name.replace(/js$/, 'd.ts'))));
  if (found === undefined) throw new Error(`${folder} has no ${specifier}`);
  return found;
}
