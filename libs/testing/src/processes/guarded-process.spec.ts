import { until } from '../until';
import { GuardedProcess, type GuardedProcessOptions } from './guarded-process';
import { childrenOf, findProcess } from './inspect';

const options: GuardedProcessOptions = {
  stopSignal: 'SIGTERM',
  stopTimeoutMs: 200,
  env: { PATH: process.env['PATH'] },
};

function startNode(script: string, more: Partial<GuardedProcessOptions> = {}): Promise<GuardedProcess> {
  return GuardedProcess.start(process.execPath, ['-e', script], { ...options, ...more });
}

it('returns the last lines of output and how the process ended', async () => {
  const child = await startNode('console.log("one"); console.error("two"); process.exit(3)');
  expect(await child.ended).toEqual({ code: 3, signal: null });
  expect([...child.lastLines].sort()).toEqual(['one', 'two']);
});

it('passes the input', async () => {
  const child = await startNode('process.stdin.pipe(process.stdout)', { input: 'hello' });
  await child.ended;
  expect(child.lastLines).toEqual(['hello']);
});

it('rejects if the process cannot start, and leaves no guard', async () => {
  const before = childrenOf(process.pid);
  await expect(startNode('', { cwd: '/no/such/folder' })).rejects.toThrow('ENOENT');
  expect(childrenOf(process.pid).filter((pid) => !before.includes(pid))).toEqual([]);
});

it('reports a command that does not exist', async () => {
  const child = await GuardedProcess.start('/no/such/command', [], options);
  expect((await child.ended).code).toBe(127);
  expect(child.lastLines.join()).toContain('/no/such/command');
});

it('kills a process that ignores the stop signal', async () => {
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready")';
  const child = await startNode(script, { onLine: isReady });
  await ready;
  expect(await child.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  expect(findProcess(child.pid)).toBeUndefined();
});

it('kills its children, and waits for those that hold no pipe of it', async () => {
  const child = await GuardedProcess.start('/bin/sh', ['-c', 'sleep 60 <&- >&- 2>&- & sleep 60 & wait'], options);
  await until(() => childrenOf(child.pid).length === 2);
  const children = childrenOf(child.pid);
  expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' });
  expect(children.map(findProcess)).toEqual([undefined, undefined]);
});

it('does not receive the signals of the terminal', async () => {
  const child = await startNode('setInterval(() => {}, 1000)');
  // It leads its own process group.
  expect(() => process.kill(-child.pid, 0)).not.toThrow();
  await child.stop();
});
