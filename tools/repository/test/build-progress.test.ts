import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { Command } from '@waggle/running/command';
import { longTest } from '@waggle/testing/long-form';

/** A workspace of the projects `local`, `first` and `second`, with this repository's `run.mjs` and Nx. */
let folder: string;
const commands: Command[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waggle-build-'));
  write('package.json', { name: 'workspace', engines: { node: '>=20' } });
  write('nx.json', { analytics: false, neverConnectToCloud: true, useDaemonProcess: false });
  const lock = { name: 'workspace', lockfileVersion: 3, packages: {} };
  write('package-lock.json', lock);
  // It counts as installed.
  write('node_modules/.waggle-installed', createHash('sha256').update(JSON.stringify(lock)).digest('hex'));
  mkdirSync(path.join(folder, 'node_modules/.bin'));
  for (const name of ['nx', '.bin/nx'])
    symlinkSync(path.join(repositoryFolder, 'node_modules', name), path.join(folder, 'node_modules', name));
  cpSync(path.join(__dirname, '../../run.mjs'), path.join(folder, 'tools/run.mjs'));
  for (const name of ['first', 'second']) writeProject(`libs/${name}`, { command: 'node --version' });
  writeProject('tools/local', { command: 'node --version', dependsOn: ['^build'] }, ['first', 'second']);
  write('tools/local/dist/start.js', 'console.log("started");');
});
afterEach(async () => {
  for (const command of commands.splice(0)) await command.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

function write(name: string, content: object | string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function writeProject(root: string, build: object, implicitDependencies: string[] = []): void {
  write(`${root}/project.json`, { name: path.basename(root), implicitDependencies, targets: { build } });
}

async function npmRun(
  name: string,
  options: { hasTerminal?: boolean } = {},
): Promise<{ code: number | null; output: string }> {
  const script = path.relative(repositoryFolder, path.join(folder, 'tools/run.mjs'));
  const command = new Command(script, [name], { NX_WORKSPACE_DATA_DIRECTORY: path.join(folder, '.nx') }, options);
  commands.push(command);
  return { code: await command.end(), output: command.output };
}

it('counts the built projects in lines, without the output of Nx', async () => {
  expect(await npmRun('start')).toEqual({
    code: 0,
    output: ['Building.', ...[1, 2, 3].map((built) => `  ${built} of 3 projects`), 'started'].join('\n'),
  });
});

// Each run of Nx costs 1.5 s of CPU time.
longTest('counts them in a bar of a terminal, which is removed', async () => {
  const { code, output } = await npmRun('start', { hasTerminal: true });
  expect(code).toBe(0);
  expect(output).toMatch(/^\[#{16}-{8}\] {2}Building {2}2 of 3 projects {2}\d+ s$/m);
  expect(output).toMatch(/^started$/m);
});

it('shows the output of Nx if the build fails', async () => {
  writeProject('libs/second', { command: 'node -p nothing' });
  const { code, output } = await npmRun('start');
  expect(code).not.toBe(0);
  expect(output).toContain('ReferenceError: nothing is not defined');
  expect(output).not.toContain('started');
});

longTest('builds the project of a command that prints only its own output', async () => {
  const built = 'dist/release.js';
  writeProject('tools/repository', {
    command: `mkdir dist && echo "console.log('released')" > ${built}`,
    options: { cwd: 'tools/repository' },
  });
  expect(await npmRun('release')).toEqual({ code: 0, output: 'released' });
});
