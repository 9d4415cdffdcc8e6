import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** The folders of all projects, relative to the repository. */
export const projectFolders = ['apps', 'libs', 'tools']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((folder) => existsSync(path.join(root, folder, 'project.json')));

/**
 * Lists the files under a folder that Jest runs, and with `helpers` those beside them. Paths are relative to the
 * repository.
 */
export function testFilesUnder(folder: string, { helpers = false } = {}): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist|jest-project)$/.test(entry.name) ? [] : testFilesUnder(file, { helpers });
    return /\.(test|spec)\.ts$/.test(file) || (helpers && /\/test\/.*\.ts$/.test(file)) ? [file] : [];
  });
}

/** Returns the examples that a test file reads from documents. */
export function examplesReadBy(file: string): { document: string; section: string | undefined }[] {
  const calls = readFileSync(path.join(root, file), 'utf8').matchAll(
    /(?:exampleIn|commandsIn|statementsIn)\(\s*'([^']+)'(?:,\s*'([^']+)')?,?\s*\)/g,
  );
  return [...calls].map(([, document = '', section]) => ({ document, section }));
}
