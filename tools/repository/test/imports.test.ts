import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findCycle, readImports } from '../src/imports/imports';
import { importsPage } from '../src/imports/page';

const root = path.resolve(__dirname, '../../..');
const projects = ['apps', 'libs', 'tools']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((folder) => existsSync(path.join(root, folder, 'src')));

describe('the folders of each project', () => {
  it.each(projects)('%s: have no import cycle', (project) => {
    expect(findCycle(readImports(path.join(root, project, 'src')))).toEqual([]);
  });

  it('match the diagrams in docs/imports.md (otherwise run `npx nx run repository:describe`)', () => {
    const page = importsPage(root, readdirSync(path.join(root, 'apps')));
    expect(readFileSync(path.join(root, 'docs/imports.md'), 'utf8')).toBe(page);
  });
});

describe('an import cycle', () => {
  let src: string;

  beforeEach(() => {
    src = mkdtempSync(path.join(tmpdir(), 'waggle-imports-'));
  });
  afterEach(() => {
    rmSync(src, { recursive: true });
  });

  function write(file: string, content: string): void {
    mkdirSync(path.dirname(path.join(src, file)), { recursive: true });
    writeFileSync(path.join(src, file), content);
  }

  it('is found through subfolders and type imports, even if no file imports itself', () => {
    write('posts/post.ts', "import { vote } from '../votes/deep/vote';");
    write('posts/title.ts', '');
    write('votes/deep/vote.ts', '');
    write('votes/voter.ts', "import type { title } from '../posts/title';");
    expect(findCycle(readImports(src))).toEqual(['posts → votes in posts/post.ts', 'votes → posts in votes/voter.ts']);
  });

  it('is found through a file of the root folder', () => {
    write('posts/post.ts', "export * from '../errors';");
    write('errors.ts', "import { title } from './posts/title';");
    expect(findCycle(readImports(src))).toEqual([
      'errors.ts → posts in errors.ts',
      'posts → errors.ts in posts/post.ts',
    ]);
  });

  it('is found between the configuration and a feature', () => {
    write('posts/post.ts', "import { settings } from '../config';");
    write('config.ts', "import { title } from './posts/title';");
    expect(findCycle(readImports(src))).toHaveLength(2);
  });

  it('is ignored in unit tests', () => {
    write('posts/post.spec.ts', "import { open } from '../app';");
    write('app.ts', "import { post } from './posts/post';");
    expect(findCycle(readImports(src))).toEqual([]);
  });
});
