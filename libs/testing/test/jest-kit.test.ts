import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findProcess } from '../src/processes/inspect';
import { until } from '../src/until';

// Starts Jest, which starts servers.
function startJest(environment: NodeJS.ProcessEnv = {}) {
  const jestCommand = path.join(path.dirname(require.resolve('jest/package.json')), 'bin/jest.js');
  return spawn(process.execPath, [jestCommand, '--config', path.join(__dirname, 'jest-project/jest.config.cjs')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function serverSeenBy(child: ChildProcess): Promise<{ pid: number; redis: string }> {
  if (child.stderr === null) throw new Error('no pipe');
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    output.push(line);
    const [, pid, redis] = /^servers: (\d+) (\S+)$/.exec(line) ?? [];
    if (pid !== undefined && redis !== undefined) return { pid: Number(pid), redis };
  }
  throw new Error(output.join('\n'));
}

it('provides the servers of a run and ends them with it', async () => {
  const child = startJest();
  const exit = once(child, 'exit');
  const { pid, redis } = await serverSeenBy(child);
  child.stderr.resume();
  expect(redis).toMatch(/^redis:\/\/:\w+@127\.0\.0\.1:\d+$/);
  expect(await exit).toEqual([0, null]);
  expect(findProcess(pid)).toBeUndefined();
});

it('ends the servers of a run that was killed', async () => {
  const child = startJest({ HANG: 'yes' });
  const { pid } = await serverSeenBy(child);
  expect(findProcess(pid)).toBeDefined();
  child.kill('SIGKILL');
  await until(() => findProcess(pid) === undefined);
});
