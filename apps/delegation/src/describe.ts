import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runMain } from '@waggle/service';
import { previewDescriptions, toFileText } from './api-description/preview';

/** Writes the descriptions of the service's interface into a folder: `node dist/describe.js <folder>`. */
runMain(async () => {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('usage: describe.js <folder>');
  await mkdir(folder, { recursive: true });
  for (const [name, document] of Object.entries(await previewDescriptions())) {
    await writeFile(path.join(folder, name), toFileText(document));
    console.log(`wrote ${path.join(folder, name)}`);
  }
});
