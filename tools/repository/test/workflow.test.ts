import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkCommand } from './documented-commands/check-command';
import { commandsOf } from './documented-commands/shell';
import { projectFolders, testFilesUnder } from './test-files';

const root = path.resolve(__dirname, '../../..');
const file = '.github/workflows/ci.yml';
const workflow = readFileSync(path.join(root, file), 'utf8');

it('the workflow runs existing scripts', () => {
  const commands = [...workflow.matchAll(/^ +- run: (npm .*)$/gm)].flatMap(([, line = '']) => commandsOf(line));
  expect(commands.length).toBeGreaterThan(4);
  const problems = commands.flatMap((command) => checkCommand(command, { file, isRun: true }));
  expect(problems).toEqual([]);
});

it('the workflow caches the results of Nx and its database', () => {
  const [, folder = ''] = /^ {2}NX_CACHE_DIRECTORY: (\S+)$/m.exec(workflow) ?? [];
  const script = `const { cacheDir, sharedDataDirectory } = require('nx/src/utils/cache-directory');
    console.log(cacheDir + ' ' + sharedDataDirectory(process.cwd(), 'workspace-data'));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', NX_CACHE_DIRECTORY: folder },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const [results = '', databases = ''] = stdout
    .trim()
    .split(' ')
    .map((one) => path.relative(root, one));
  expect(workflow).toContain(`\n            ${results}\n            ${databases}/*.db\n`);
});

it('the job that uses the Node version of the images finds it', () => {
  const [, find = ''] = /id: node\n +run: (.*)\n/.exec(workflow) ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-workflow-'));
  try {
    const output = path.join(folder, 'output');
    spawnSync('sh', ['-c', find], { cwd: root, env: { PATH: process.env['PATH'], GITHUB_OUTPUT: output } });
    const [, version = ''] = /^version=(\d+\.\d+\.\d+)\n$/.exec(readFileSync(output, 'utf8')) ?? [];
    expect(readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8')).toContain(`ARG NODE_IMAGE=node:${version}-`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the workflow tests the oldest supported version of Node, every newer release line, and the version of the images', () => {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const [, image] =
    /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(readFileSync(path.join(root, 'docker/Dockerfile'), 'utf8')) ?? [];
  const [, newer = ''] = /^ {8}node: \[(.*)\]$/m.exec(workflow) ?? [];
  const oldest = new Set([...workflow.matchAll(/node-version: (\d[\d.]*)/g)].map(([, version]) => version));
  expect([...oldest].map((version) => `>=${version}`)).toEqual([engines.node]);
  expect(newer.split(', ').map((version) => version.split('.')[0])).toEqual(['22', '24', '26']);
  expect(newer.split(', ')).toContain(image);
});

const job = z.looseObject({
  permissions: z.record(z.string(), z.string()).default({}),
  needs: z.union([z.string(), z.array(z.string())]).default([]),
  steps: z.array(
    z.looseObject({ name: z.string().optional(), uses: z.string().optional(), run: z.string().default('') }),
  ),
});
const workflowSchema = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});
const workflows = readdirSync(path.join(root, '.github/workflows'));
const jobsOf = (name: string) =>
  workflowSchema.parse(parse(readFileSync(path.join(root, '.github/workflows', name), 'utf8')));

describe.each(workflows)('the workflow %s', (name) => {
  const { permissions, jobs } = jobsOf(name);

  it('runs scripts that bash parses, after existing jobs', () => {
    for (const { needs, steps } of Object.values(jobs)) {
      expect(Object.keys(jobs)).toEqual(expect.arrayContaining([needs].flat()));
      for (const { run } of steps) {
        const input = run.replaceAll(/\$\{\{.*?\}\}/g, 'x');
        expect([run, spawnSync('bash', ['--norc', '-n'], { input, encoding: 'utf8' }).stderr]).toEqual([run, '']);
      }
    }
  });

  it('may only read by default, and gives no job that runs packages more', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const { permissions: own, steps } of Object.values(jobs)) {
      const runsPackages = steps.some(({ run }) => /\bnp[mx] (?!view|publish)/.test(run));
      if (runsPackages) expect(Object.values(own).filter((access) => access !== 'read')).toEqual([]);
    }
  });
});

it('a release signs and tags only images that were scanned, and scans them without write access', () => {
  const { jobs } = jobsOf('release.yml');
  expect([jobs['image']?.needs, jobs['scan']?.needs, jobs['sign']?.needs]).toEqual(['pack', 'image', 'scan']);
  expect(jobs['scan']?.permissions).toEqual({ packages: 'read' });
  const apps = readdirSync(path.join(root, 'apps'));
  for (const stage of ['image', 'scan', 'sign'])
    expect(jobs[stage]).toMatchObject({ strategy: { matrix: { app: apps } } });
  const [build] = (jobs['image']?.steps ?? []).filter(
    ({ uses }) => uses?.startsWith('docker/build-push-action') === true,
  );
  expect(build).toMatchObject({ with: { outputs: expect.stringMatching(/push-by-digest=true/), sbom: true } });
  expect(build?.['with']).not.toHaveProperty('tags');
});

it('the notes of a release are the changes of its version', () => {
  const { run = '' } = jobsOf('release.yml').jobs['pack']?.steps.find(({ name }) => /changelog/.test(name ?? '')) ?? {};
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-workflow-'));
  const notesOf = (version: string) => {
    const env = { PATH: process.env['PATH'], GITHUB_REF_NAME: `v${version}` };
    const { status } = spawnSync('bash', ['--norc', '-e', '-c', run], { cwd: folder, env });
    return status === 0 ? readFileSync(path.join(folder, 'archives/changes.md'), 'utf8').trim() : status;
  };
  try {
    mkdirSync(path.join(folder, 'archives'));
    const changes =
      '# Changelog\n\n## [Unreleased]\n\n- New\n\n## [1.2.0] - 2031-01-01\n\n### Added\n\n- A\n\n## [1.1.0] - 2030\n\n- Old\n';
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changes);
    expect([notesOf('1.2.0'), notesOf('1.3.0')]).toEqual(['### Added\n\n- A', 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the weekly report lists outdated packages and images of Node that exist', () => {
  const { run = '' } = jobsOf('outdated.yml').jobs['report']?.steps.find(({ name }) => name === 'List') ?? {};
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-workflow-'));
  const program = (name: string, script: string) => {
    writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  try {
    for (const name of ['bin', 'docker']) mkdirSync(path.join(folder, name));
    const outdated = {
      jest: { current: '1.0.0', latest: '1.0.1' },
      ws: [
        { current: '2.0.0', latest: '3.0.0' },
        { current: '2.0.0', latest: '3.0.0' },
      ],
      nx: { current: '4.0.0', latest: '4.0.0' },
    };
    const releases = [
      { version: 'v27.1.0', lts: false },
      { version: 'v26.11.0', lts: false },
      { version: 'v24.30.0', lts: 'Krypton' },
      { version: 'v26.10.0', lts: false },
    ];
    program('npm', `echo '${JSON.stringify(outdated)}'; exit 1`);
    program('curl', `echo '${JSON.stringify(releases)}'`);
    program('docker', '[ "$4" = node:26.11.0-slim ]');
    writeFileSync(path.join(folder, 'docker/Dockerfile'), 'ARG NODE_IMAGE=node:26.10.0-slim\n');
    const env = {
      PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
      GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
    };
    const { status } = spawnSync('bash', ['--norc', '-eo', 'pipefail', '-c', run], { cwd: folder, env });
    expect(status).toBe(0);
    const rows = readFileSync(path.join(folder, 'report.md'), 'utf8').split('\n').slice(4);
    expect(rows).toEqual([
      '| jest | 1.0.0 | 1.0.1 |',
      '| ws | 2.0.0 | 3.0.0 |',
      '| image of Node | 26.10.0 | 26.11.0 |',
      '',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the nightly workflow has a job for each project with long tests', () => {
  const isLong = (name: string) =>
    /testing\/long-form'|env\['LONG'\]/.test(readFileSync(path.join(root, name), 'utf8'));
  const folders = projectFolders.filter((folder) => testFilesUnder(folder, { helpers: true }).some(isLong));
  const project = folders.map((folder) => path.basename(folder)).sort();
  expect(jobsOf('long.yml').jobs['test']).toMatchObject({ strategy: { matrix: { project } } });
});
