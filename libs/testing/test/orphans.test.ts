import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childrenOf, findProcess } from '../src/processes/inspect';
import { until } from '../src/until';

interface Started {
  servers: number[];
  guards: number[];
  sessions: number[];
  /** The temporary folder of PostgreSQL. */
  folder: string;
}

// The guard waits seconds for servers to end, and longer on a busy machine.
const parents: ChildProcess[] = [];
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
});

async function startParent(...args: string[]): Promise<{ parent: ChildProcess; pid: number; started: Started }> {
  const script = ['-r', path.join(__dirname, 'typescript.cjs'), path.join(__dirname, 'parent.ts'), ...args];
  const parent = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  parents.push(parent);
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  return { parent, pid: parent.pid ?? 0, started: JSON.parse(line) as Started };
}

function untilGone(pids: number[]): Promise<void> {
  return until(() => pids.every((pid) => findProcess(pid) === undefined));
}

it.each([['running'], ['paused']])(
  'servers that are %s end with their data when their parent is killed',
  async (state) => {
    const { parent, started } = await startParent(state);
    expect(existsSync(started.folder)).toBe(true);
    const all = [...started.servers, ...started.guards, ...started.sessions];
    expect(started.servers).toHaveLength(2);
    expect(started.guards).toHaveLength(2);
    parent.kill('SIGKILL');
    await untilGone(all);
    await until(() => !existsSync(started.folder));
  },
);

it('replaces guards that were killed', async () => {
  const { parent, pid, started } = await startParent();
  for (const guard of started.guards) process.kill(guard, 'SIGKILL');
  const newGuards = () => childrenOf(pid).filter((child) => !started.servers.concat(started.guards).includes(child));
  await until(() => newGuards().length === 2);
  const all = [...started.servers, ...newGuards()];
  parent.kill('SIGKILL');
  await untilGone(all);
});
