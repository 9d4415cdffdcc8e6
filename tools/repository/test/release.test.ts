import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commitRelease, planRelease, previewOf } from '../src/release/release';
import { Repository } from '../src/release/repository';

const root = path.resolve(__dirname, '../../..');
const day = new Date('2031-05-06T12:00:00Z');
const changelog = '# Changelog\n\nIntroduction.\n\n## [Unreleased]\n\n- A thing.\n';

/** A clone of the working tree, including uncommitted changes. */
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'waggle-release-'));
  for (const file of new Repository(root).files().keys()) {
    mkdirSync(path.join(clone, path.dirname(file)), { recursive: true });
    cpSync(path.join(root, file), path.join(clone, file));
  }
  writeFileSync(path.join(clone, 'CHANGELOG.md'), changelog);
  git('init', '--quiet');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@waggle.example');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  git('branch', 'original');
});
afterEach(() => {
  git('reset', '--quiet', '--hard', 'original');
  for (const tag of git('tag', '--list', 'v*').split('\n').filter(Boolean)) git('tag', '--delete', tag);
});
afterAll(() => {
  rmSync(clone, { recursive: true });
});

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
}

const contentOf = (file: string) => readFileSync(path.join(clone, file), 'utf8');

it('previews the release without changing anything', () => {
  const repository = new Repository(clone);
  const release = planRelease(repository, '7.8.9', day);

  expect(previewOf(repository, release)).toContain('docker/Dockerfile\n  + ARG VERSION=7.8.9\n');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag')).toBe('');
});

// build-progress.test.ts checks that run.mjs builds what it runs.
it('is previewed by npm run release', () => {
  const env = { ...process.env, WAGGLE_SKIP_SETUP: 'true' };
  const output = execFileSync(process.execPath, ['tools/run.mjs', 'release'], { cwd: root, env, encoding: 'utf8' });
  expect(output).toContain('Nothing was changed.');
});

it('raises the version in every file, dates the changelog, commits and tags', () => {
  const repository = new Repository(clone);
  commitRelease(repository, planRelease(repository, '7.8.9', day));

  expect(git('status', '--porcelain')).toBe('');
  expect([git('tag'), git('log', '-1', '--format=%s')]).toEqual(['v7.8.9', 'chore(release): 7.8.9']);
  expect(contentOf('CHANGELOG.md')).toBe(
    '# Changelog\n\nIntroduction.\n\n## [Unreleased]\n\n## [7.8.9] - 2031-05-06\n\n- A thing.\n',
  );
  // Nothing else in a manifest changes, not even the order.
  expect(git('show', '--numstat', '--format=', 'tools/bench/package.json', 'package.json')).toBe(
    '1\t1\tpackage.json\n1\t1\ttools/bench/package.json',
  );
  // A file that the first release missed would still contain the old version.
  writeFileSync(
    path.join(clone, 'CHANGELOG.md'),
    contentOf('CHANGELOG.md').replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n'),
  );
  git('commit', '--quiet', '--all', '--message', 'more');
  commitRelease(repository, planRelease(repository, undefined, day));

  const ours = ['--', '*.json', '*.yaml', 'docker', 'libs/*.md', 'apps/*.md'];
  const places = git('grep', '--count', '--fixed-strings', '7.9.0', ...ours).split('\n');
  expect(places).toEqual(expect.arrayContaining(['package.json:1', 'docker/Dockerfile:1', 'libs/client/README.md:2']));
  expect(places.filter((place) => place.startsWith('k8s/'))).toHaveLength(6);
  const manifests = git('grep', '--files-with-matches', '^  "version":', '--', '*package.json').split('\n');
  expect(places.filter((place) => place.includes('package.json'))).toHaveLength(manifests.length);
  expect(git('tag').split('\n')).toEqual(['v7.8.9', 'v7.9.0']);
  // npm finds the lock file and the manifests consistent.
  execFileSync('npm', ['ls', '--package-lock-only', '--depth', '0'], { cwd: clone, stdio: 'ignore' });
});

it('rejects an existing version, a release without changes, and uncommitted changes', () => {
  const repository = new Repository(clone);
  commitRelease(repository, planRelease(repository, '7.8.9', day));
  expect(() => planRelease(repository, 'minor', day)).toThrow('nothing under "## [Unreleased]"');
  expect(() => planRelease(repository, '7.8.9', day)).toThrow('7.8.9 does not come after 7.8.9');
  expect(() => planRelease(repository, '7.8', day)).toThrow('"7.8" is not a version');

  writeFileSync(path.join(clone, 'CHANGELOG.md'), changelog);
  expect(() => {
    commitRelease(repository, planRelease(repository, 'major', day));
  }).toThrow('not committed');
  expect(git('tag')).toBe('v7.8.9');
});
