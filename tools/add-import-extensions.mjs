import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Lets the relative imports of all modules and declarations in a folder name files, `./chat.js` instead of `./chat`:
 * Node.js, browsers and TypeScript's `NodeNext` do not look for extensions in ECMAScript modules.
 */
export async function nameFiles(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const file = path.join(folder, name);
    const code = await readFile(file, 'utf8');
    const named = code.replace(/((?:\bfrom|\bimport) ?\(?)'(\.{1,2}\/[^']*)'/g, (all, before, specifier) => {
      if (specifier.endsWith('.js')) return all;
      const target = path.resolve(path.dirname(file), specifier);
      return `${before}'${specifier}${existsSync(`${target}.d.ts`) ? '' : '/index'}.js'`;
    });
    if (named !== code) await writeFile(file, named);
  }
}
