import { until } from '../until';
import { GuardedProcess } from './guarded-process';
import { childrenOf, cpuSecondsOf } from './inspect';

/** A script of Node that uses 0.3 s of CPU time. */
const burn = 'while (process.cpuUsage().user < 300_000);';

it('counts the CPU time of a process and of its children, also after a child has ended', async () => {
  const script = `"$0" -e '${burn}'; echo ended; "$0" -e '${burn} setInterval(() => {}, 1_000)' & wait`;
  const shell = await GuardedProcess.start('/bin/sh', ['-c', script, process.execPath], {
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 200,
  });
  await until(() => shell.lastLines.includes('ended'));
  await until(() => (cpuSecondsOf(shell.pid) ?? 0) >= 0.6 && childrenOf(shell.pid).length === 1);
  const children = childrenOf(shell.pid);
  expect(children).toHaveLength(1);
  for (const pid of children) process.kill(pid);
  await shell.kill();
  expect(cpuSecondsOf(shell.pid)).toBeUndefined();
});
