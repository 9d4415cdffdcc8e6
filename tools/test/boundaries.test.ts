import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';

const root = path.join(__dirname, '..', '..');

/** A workspace with the real lint rules, in which every file that is not named fine breaks a boundary. */
const files = {
  'libs/contracts/src/imports-ours.ts': "import { b } from '../../service/src/fine';\nexport const c = b;\n",
  'libs/contracts/src/imports-a-framework.ts': "import { Module } from '@nestjs/common';\nexport const m = Module;\n",
  'libs/contracts/src/does-input.ts': "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
  'libs/contracts/src/does-input-unprefixed.ts': "import fs from 'fs';\nexport const r = fs.readFileSync;\n",
  'libs/contracts/src/starts-a-process.ts': "export { spawn } from 'node:child_process';\n",
  'libs/contracts/src/imports-express.ts': "import express from 'express';\nexport const e = express;\n",
  'libs/contracts/src/imports-a-namesake.ts': "import { z } from 'zodiac';\nexport const x = z;\n",
  'libs/contracts/src/imports-later.ts': "export const r = (): Promise<unknown> => import('node:fs');\n",
  'libs/contracts/src/requires.ts': "export const f: unknown = require('fs');\n",
  'libs/contracts/src/fetches.ts': "export const r = (): Promise<unknown> => globalThis.fetch('http://127.0.0.1');\n",
  'libs/contracts/src/creates-a-require.ts': "export { createRequire } from 'node:module';\n",
  'libs/contracts/src/fine.ts':
    "import { z } from 'zod';\nimport { d } from './fine-too';\nexport const c = z.literal(d);\n",
  'libs/contracts/src/fine-too.ts': 'export const d = 1;\n',
  'libs/contracts/test/fine.test.ts': "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
  'apps/one/src/imports-an-app.ts': "import { b } from '../../two/src/fine';\nexport const c = b;\n",
  'apps/one/src/imports-testing.ts': "import { b } from '@waggle/testing';\nexport const c = b;\n",
  'libs/client/src/imports-ours.ts': "import { c } from '../../contracts/src/fine';\nexport const d = c;\n",
  'libs/client/src/imports-a-package.ts': "import { z } from 'zod';\nexport const x = z;\n",
  'libs/client/src/imports-ws.ts': "import { WebSocket } from 'ws';\nexport const w = WebSocket;\n",
  'libs/client/src/node-chat.ts': "import { WebSocket } from 'ws';\nexport const w = WebSocket;\n",
  'libs/client/src/fine.spec.ts': "import { c } from '../../contracts/src/fine';\nexport const d = c;\n",
  'libs/service/src/imports-an-app.ts': "import { b } from '../../../apps/two/src/fine';\nexport const c = b;\n",
  'libs/service/src/cycle-1.ts': "import { b } from './cycle-2';\nexport const a = (): number => b();\n",
  'libs/service/src/cycle-2.ts': "import { a } from './cycle-1';\nexport const b = (): number => a();\n",
  'libs/service/src/fine.ts': 'export const b = 1;\n',
  'libs/testing/src/fine.ts': 'export const b = 1;\n',
  'apps/two/src/fine.ts': 'export const b = 1;\n',
  'apps/one/src/fine.ts': "import { b } from '../../../libs/service/src/fine';\nexport const c = b;\n",
  'apps/one/src/imports-a-client.ts': "import { w } from '../../../libs/client/src/node-chat';\nexport const c = w;\n",
  'apps/one/test/fine-client.test.ts': "import { w } from '../../../libs/client/src/node-chat';\nexport const c = w;\n",
  'apps/one/test/fine.test.ts': "import { b } from '@waggle/testing';\nexport const c = b;\n",
};

const projects = {
  'apps/one': 'app',
  'apps/two': 'app',
  'libs/client': 'client',
  'libs/contracts': 'pure',
  'libs/service': 'lib',
  'libs/testing': 'testing',
  tools: 'tool',
};

const boundaryRules = [
  'import-x/no-restricted-paths',
  'import-x/no-cycle',
  'no-restricted-imports',
  'no-restricted-syntax',
  'no-restricted-globals',
];

interface LintedFile {
  filePath: string;
  messages: { ruleId: string | null }[];
}

describe('the lint rules', () => {
  const cache = path.join(root, 'node_modules', '.cache');
  let workspace: string;
  let refused: Map<string, string[]>;

  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    workspace = mkdtempSync(path.join(cache, 'boundaries-'));
    for (const file of ['eslint.config.mjs', 'tsconfig.base.json'])
      cpSync(path.join(root, file), path.join(workspace, file));
    for (const [folder, type] of Object.entries(projects)) {
      write(`${folder}/project.json`, JSON.stringify({ tags: [`type:${type}`] }));
      const base = path.relative(path.join(workspace, folder), path.join(workspace, 'tsconfig.base.json'));
      write(`${folder}/tsconfig.json`, JSON.stringify({ extends: `./${base}`, include: ['src', 'test'] }));
      write(
        `${folder}/package.json`,
        JSON.stringify({ name: `@waggle/${path.basename(folder)}`, main: 'src/fine.ts' }),
      );
    }
    for (const [file, content] of Object.entries(files)) write(file, content);
    mkdirSync(path.join(workspace, 'node_modules', '@waggle'), { recursive: true });
    symlinkSync(path.join(workspace, 'libs', 'testing'), path.join(workspace, 'node_modules', '@waggle', 'testing'));

    refused = new Map(
      (await lint()).map(({ filePath, messages }) => [
        path.relative(workspace, filePath),
        messages.flatMap(({ ruleId }) => (ruleId !== null && boundaryRules.includes(ruleId) ? [ruleId] : [])),
      ]),
    );
  }, 120_000);
  afterAll(() => {
    rmSync(workspace, { recursive: true });
  });

  function write(file: string, content: string) {
    mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
    writeFileSync(path.join(workspace, file), content);
  }

  async function lint(): Promise<LintedFile[]> {
    const eslint = path.join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
    const child = spawn(process.execPath, [eslint, '--format', 'json', '.'], {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(await readAll(child.stdout)) as LintedFile[];
  }

  it.each([
    ['a pure library that imports one of ours', 'libs/contracts/src/imports-ours.ts', 'import-x/no-restricted-paths'],
    ['a pure library that imports a framework', 'libs/contracts/src/imports-a-framework.ts', 'no-restricted-imports'],
    ['a pure library that does input or output', 'libs/contracts/src/does-input.ts', 'no-restricted-imports'],
    ['the same by the short name', 'libs/contracts/src/does-input-unprefixed.ts', 'no-restricted-imports'],
    ['a pure library that starts processes', 'libs/contracts/src/starts-a-process.ts', 'no-restricted-imports'],
    ['a pure library that imports express', 'libs/contracts/src/imports-express.ts', 'no-restricted-imports'],
    ['a package whose name only begins right', 'libs/contracts/src/imports-a-namesake.ts', 'no-restricted-imports'],
    ['a pure library that imports while it runs', 'libs/contracts/src/imports-later.ts', 'no-restricted-syntax'],
    ['a pure library that requires', 'libs/contracts/src/requires.ts', 'no-restricted-globals'],
    ['a pure library that fetches', 'libs/contracts/src/fetches.ts', 'no-restricted-globals'],
    ['a pure library that could load anything', 'libs/contracts/src/creates-a-require.ts', 'no-restricted-imports'],
    ['an app that imports an app', 'apps/one/src/imports-an-app.ts', 'import-x/no-restricted-paths'],
    ['product code that imports testing', 'apps/one/src/imports-testing.ts', 'import-x/no-restricted-paths'],
    ['a client that imports one of ours', 'libs/client/src/imports-ours.ts', 'import-x/no-restricted-paths'],
    ['a client that imports a package', 'libs/client/src/imports-a-package.ts', 'no-restricted-imports'],
    ['a client that brings ws into pages', 'libs/client/src/imports-ws.ts', 'no-restricted-imports'],
    ['an app that imports a client', 'apps/one/src/imports-a-client.ts', 'import-x/no-restricted-paths'],
    ['a library that imports an app', 'libs/service/src/imports-an-app.ts', 'import-x/no-restricted-paths'],
    ['an import cycle', 'libs/service/src/cycle-1.ts', 'import-x/no-cycle'],
    ['an import cycle, seen from its other end', 'libs/service/src/cycle-2.ts', 'import-x/no-cycle'],
  ])('refuse %s', (_what, file, rule) => {
    expect(refused.get(file)).toEqual([rule]);
  });

  it.each(Object.keys(files).filter((file) => file.includes('fine')))('allow %s', (file) => {
    expect(refused.get(file)).toEqual([]);
  });
});
