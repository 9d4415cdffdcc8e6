import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';

const root = path.resolve(__dirname, '../../..');

const entity = (columns: string) =>
  `declare const Column: (...options: unknown[]) => PropertyDecorator;\nexport class E {\n${columns}\n}\n`;

/** The files of a workspace with the real lint rules. Each file that is not named `fine…` violates one. */
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
  'libs/contracts/src/fetches-plainly.ts': "export const r = (): Promise<unknown> => fetch('http://127.0.0.1');\n",
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
  'libs/client/src/index.ts': "import { WebSocket } from 'ws';\nexport const w = WebSocket;\n",
  'libs/client/src/fine.spec.ts': "import { c } from '../../contracts/src/fine';\nexport const d = c;\n",
  'libs/client/src/exposes-a-member.ts': 'export class A {\n  private readonly b = 1;\n  readonly c = this.b;\n}\n',
  'libs/client/src/fine-members.ts':
    'export class A {\n  readonly #b = 1;\n  constructor(private readonly c: number) {}\n  d(): number {\n    return this.#b + this.c;\n  }\n}\n',
  'libs/service/src/hides-a-member.ts': 'export class A {\n  readonly #b = 1;\n  readonly c = this.#b;\n}\n',
  'libs/service/src/fine-members.ts': 'export class A {\n  private readonly b = 1;\n  readonly c = this.b;\n}\n',
  'libs/chain/src/imports-a-lib.ts': "export { b } from '../../service/src/fine';\n",
  'libs/chain/src/fine.ts': 'export const b = 1;\n',
  'libs/service/src/fine-core.ts': "export { b } from '../../chain/src/fine';\n",
  'libs/service/src/imports-an-app.ts': "import { b } from '../../../apps/two/src/fine';\nexport const c = b;\n",
  'libs/service/src/cycle-1.ts': "import { b } from './cycle-2';\nexport const a = (): number => b();\n",
  'libs/service/src/cycle-2.ts': "import { a } from './cycle-1';\nexport const b = (): number => a();\n",
  'libs/service/src/imports-what-it-does-not-declare.ts': "import { Pool } from 'pg';\nexport const p = Pool;\n",
  'libs/service/src/imports-what-its-tests-have.ts': "import { x } from 'for-tests';\nexport const a = x;\n",
  'libs/service/src/fine.spec.ts': "import { x } from 'for-tests';\nexport const a = x;\n",
  'libs/service/src/imports-a-type.ts': "import { B } from './fine';\nexport type C = B;\n",
  'libs/service/src/mistyped.ts': `export const count: number = 'one';\n`,
  'libs/service/src/floats.ts': 'export function a(): void {\n  Promise.resolve(1);\n}\n',
  'libs/service/src/fine.ts': 'export const b = 1;\nexport type B = number;\n',
  'libs/service/src/fine-decorated.ts':
    "import { B } from './fine';\ndeclare const d: ClassDecorator;\n@d\nexport class A {\n  constructor(readonly b: B) {}\n}\n",
  'apps/one/src/queries-unchecked.ts':
    "declare const pool: { query<R>(text: string): Promise<R> };\nexport const r = () => pool.query<number>('SELECT a FROM b');\n",
  'apps/one/src/declares-late.ts':
    'declare class Statement {\n  constructor(name: string);\n}\nexport const s = () => new Statement("s");\n',
  'apps/one/src/fine-statement.ts':
    "declare class Statement {\n  constructor(name: string);\n  query(on: { query(text: string): void }): void;\n}\nexport const s = new Statement('s');\nexport const t = ['a', 'b'].map((name) => new Statement(name));\ndeclare const pool: { query(text: string): void };\ns.query(pool);\npool.query('SELECT 1');\nexport class Executor {\n  query<R>(statement: string): Promise<R> {\n    return other.query<R>(statement);\n  }\n}\ndeclare const other: { query<R>(text: string): Promise<R> };\n",
  'apps/one/src/migrations/fine.ts':
    "declare const runner: { query(text: string): void };\nrunner.query('DROP TABLE a');\n",
  'apps/one/src/null-in-a-column.ts': entity("@Column('text', { nullable: true }) a!: string;"),
  'apps/one/src/wrong-type-of-a-column.ts': entity("@Column({ type: 'bigint', nullable: true }) a!: number | null;"),
  'apps/one/src/mutable-column.ts': entity("@Column('text', { array: true }) a!: string[];"),
  'apps/one/src/unknown-type-of-a-column.ts': entity("@Column('citext') a!: string;"),
  'apps/one/src/fine-columns.ts': entity(
    "@Column('text', { nullable: true }) a!: string | null;\n@Column({ type: 'bigint', array: true }) b!: readonly bigint[];\n@Column('jsonb') c!: readonly { d: 1 }[];",
  ),
  'apps/one/src/imports-the-devnet.ts': "import { b } from '@waggle/devnet';\nexport const c = b;\n",
  'libs/devnet/src/fine.ts': "export { b } from '../../testing/src/fine';\n",
  'libs/testing/src/fine.ts': 'export const b = 1;\n',
  'libs/testing/src/imports-the-devnet.ts': "import { c } from '@waggle/devnet';\nexport const d = c;\n",
  'apps/two/src/fine.ts': 'export const b = 1;\n',
  'tools/bench/src/fine.ts': "export { b } from '../../running/src/fine';\n",
  'tools/running/src/fine.ts': "export { b } from '../../../libs/testing/src/fine';\n",
  'tools/chaos/src/imports-a-tool.ts': "export { b } from '../../bench/src/fine';\n",
  'apps/one/src/fine.ts': "import { b } from '../../../libs/service/src/fine';\nexport const c = b;\n",
  'apps/one/src/imports-a-client.ts': "import { w } from '../../../libs/client/src/index';\nexport const c = w;\n",
  'apps/one/test/fine-client.test.ts': "import { w } from '../../../libs/client/src/index';\nexport const c = w;\n",
  'apps/one/test/fine.test.ts': "import { b } from '@waggle/testing';\nexport const c = b;\n",
};

const projects = {
  'apps/one': 'app',
  'apps/two': 'app',
  'libs/client': 'client',
  'libs/contracts': 'pure',
  'libs/chain': 'core',
  'libs/service': 'lib',
  'libs/devnet': 'devnet',
  'libs/testing': 'testing',
  'tools/bench': 'tool',
  'tools/chaos': 'tool',
  'tools/running': 'running',
};

interface Diagnostic {
  filename: string;
  /** The rule, as `plugin(rule)`. */
  code: string;
}

describe('the lint rules', () => {
  let workspace: string;
  let reported: Map<string, Set<string>>;

  beforeAll(async () => {
    workspace = mkdtempSync(path.join(tmpdir(), 'waggle-boundaries-'));
    for (const file of ['.oxlintrc.json', 'tsconfig.base.json', 'tools/lint'])
      cpSync(path.join(root, file), path.join(workspace, file), { recursive: true });
    for (const [folder, type] of Object.entries(projects)) {
      write(`${folder}/project.json`, JSON.stringify({ tags: [`type:${type}`] }));
      const base = path.relative(path.join(workspace, folder), path.join(workspace, 'tsconfig.base.json'));
      write(
        `${folder}/tsconfig.json`,
        JSON.stringify({ extends: `./${base}`, compilerOptions: { types: [] }, include: ['src', 'test'] }),
      );
      const name = `@waggle/${path.basename(folder)}`;
      const dependencies = { zod: '*', ws: '*', '@waggle/testing': '*', '@waggle/devnet': '*' };
      write(`${folder}/package.json`, JSON.stringify({ name, dependencies, devDependencies: { 'for-tests': '*' } }));
    }
    for (const [file, content] of Object.entries(files)) write(file, content);
    mkdirSync(path.join(workspace, 'node_modules'));
    for (const name of ['.bin', 'zod'])
      symlinkSync(path.join(root, 'node_modules', name), path.join(workspace, 'node_modules', name));

    reported = new Map(Object.keys(files).map((file) => [file, new Set()]));
    for (const { filename, code } of await lint()) reported.get(filename)?.add(code);
  });
  afterAll(() => {
    rmSync(workspace, { recursive: true });
  });

  function write(file: string, content: string) {
    mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
    writeFileSync(path.join(workspace, file), content);
  }

  async function lint(): Promise<Diagnostic[]> {
    const oxlint = path.join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const child = spawn(process.execPath, [oxlint, '--format', 'json', ...Object.keys(projects)], {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { diagnostics } = JSON.parse(await readAll(child.stdout)) as { diagnostics: Diagnostic[] };
    return diagnostics;
  }

  it.each([
    ['a pure library that imports another project', 'libs/contracts/src/imports-ours.ts', 'waggle(boundaries)'],
    ['a pure library that imports a framework', 'libs/contracts/src/imports-a-framework.ts', 'waggle(few-packages)'],
    ['a pure library that does input or output', 'libs/contracts/src/does-input.ts', 'waggle(few-packages)'],
    ['the same without the prefix node:', 'libs/contracts/src/does-input-unprefixed.ts', 'waggle(few-packages)'],
    ['a pure library that starts processes', 'libs/contracts/src/starts-a-process.ts', 'waggle(few-packages)'],
    ['a pure library that imports express', 'libs/contracts/src/imports-express.ts', 'waggle(few-packages)'],
    ['a package with a similar name', 'libs/contracts/src/imports-a-namesake.ts', 'waggle(few-packages)'],
    ['a pure library with a dynamic import', 'libs/contracts/src/imports-later.ts', 'waggle(few-packages)'],
    ['a pure library that requires', 'libs/contracts/src/requires.ts', 'waggle(pure-globals)'],
    ['a pure library that fetches', 'libs/contracts/src/fetches.ts', 'waggle(pure-globals)'],
    ['a pure library that fetches plainly', 'libs/contracts/src/fetches-plainly.ts', 'waggle(pure-globals)'],
    ['a pure library that could load anything', 'libs/contracts/src/creates-a-require.ts', 'waggle(few-packages)'],
    ['an app that imports an app', 'apps/one/src/imports-an-app.ts', 'waggle(boundaries)'],
    ['product code that imports testing', 'apps/one/src/imports-testing.ts', 'waggle(boundaries)'],
    ['product code that imports the devnet', 'apps/one/src/imports-the-devnet.ts', 'waggle(boundaries)'],
    ['testing that imports the devnet', 'libs/testing/src/imports-the-devnet.ts', 'waggle(boundaries)'],
    ['a tool that imports another', 'tools/chaos/src/imports-a-tool.ts', 'waggle(boundaries)'],
    ['a client that imports another project', 'libs/client/src/imports-ours.ts', 'waggle(boundaries)'],
    ['a client that imports a package', 'libs/client/src/imports-a-package.ts', 'waggle(few-packages)'],
    ['a client that brings ws into pages', 'libs/client/src/imports-ws.ts', 'waggle(few-packages)'],
    ['an app that imports a client', 'apps/one/src/imports-a-client.ts', 'waggle(boundaries)'],
    ['a core library that imports a framework library', 'libs/chain/src/imports-a-lib.ts', 'waggle(boundaries)'],
    ['a library that imports an app', 'libs/service/src/imports-an-app.ts', 'waggle(boundaries)'],
    [
      'a package that is not declared',
      'libs/service/src/imports-what-it-does-not-declare.ts',
      'waggle(declared-packages)',
    ],
    [
      'a package that only tests may use',
      'libs/service/src/imports-what-its-tests-have.ts',
      'waggle(declared-packages)',
    ],
    ['a type that is imported as a value', 'libs/service/src/imports-a-type.ts', 'waggle(type-imports)'],
    [
      'a floating promise, which needs type information',
      'libs/service/src/floats.ts',
      'typescript(no-floating-promises)',
    ],
    ['an error of the TypeScript compiler', 'libs/service/src/mistyped.ts', 'typescript(TS2322)'],
    ['SQL that no test checks', 'apps/one/src/queries-unchecked.ts', 'waggle(checked-sql)'],
    ['a statement that is not created at module level', 'apps/one/src/declares-late.ts', 'waggle(checked-sql)'],
    ['a column whose property lacks null', 'apps/one/src/null-in-a-column.ts', 'waggle(entity-columns)'],
    ['a column whose property has another type', 'apps/one/src/wrong-type-of-a-column.ts', 'waggle(entity-columns)'],
    ['a column whose list can be changed', 'apps/one/src/mutable-column.ts', 'waggle(entity-columns)'],
    ['a column of an unknown type', 'apps/one/src/unknown-type-of-a-column.ts', 'waggle(entity-columns)'],
    ['a member that a page can reach', 'libs/client/src/exposes-a-member.ts', 'waggle(private-members)'],
    ['the other dialect on Node', 'libs/service/src/hides-a-member.ts', 'waggle(private-members)'],
    ['an import cycle', 'libs/service/src/cycle-1.ts', 'import(no-cycle)'],
    ['an import cycle, seen from its other end', 'libs/service/src/cycle-2.ts', 'import(no-cycle)'],
  ])('reject %s', (_what, file, rule) => {
    expect(reported.get(file)).toContain(rule);
  });

  it.each(Object.keys(files).filter((file) => file.includes('fine')))('allow %s', (file) => {
    // The packages that these files import are not installed, so the compiler's errors do not count.
    const rules = [...(reported.get(file) ?? [])].filter((code) => !code.startsWith('typescript(TS'));
    expect(rules).toEqual([]);
  });
});
