// `node tools/build-esm.mjs <project>` writes dist/esm, the ECMAScript modules of a package whose dist is CommonJS.
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addImportExtensions } from './add-import-extensions.mjs';

const project = path.resolve(process.argv[2]);
const out = path.join(project, 'dist/esm');
const compiler = fileURLToPath(new URL('../node_modules/typescript-native/bin/tsc', import.meta.url));
const options = [
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--composite',
  'false',
  '--incremental',
  'false',
];

await rm(out, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', path.join(project, 'tsconfig.build.json'), '--outDir', out, ...options],
  { stdio: 'inherit' },
);
// The status is null if a signal ended the compiler.
if (status !== 0) process.exit(status ?? 1);
await addImportExtensions(out);
await writeFile(path.join(out, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
