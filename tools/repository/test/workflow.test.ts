import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkCommand } from './documented-commands/check-command';
import { commandsOf } from './documented-commands/shell';

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
