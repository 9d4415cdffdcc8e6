import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type OwnProcess, repositoryFolder } from '@waggle/running';
import { settledMemory } from '../../measure/resident-memory';
import { startLoad } from '../../measure/run-load';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { seatAt } from '../baselines';
import { type ChatBench, type Figure, loadScript } from '../figure';
import { idleResult, type Seat } from '../jobs';

/** Opening ten thousand sockets takes some seconds. */
const openTimeoutMs = 120_000;

/** Sockets that come and go before anything is measured: what is loaded and compiled once is not a socket's. */
const rehearsalSockets = 200;

/** So many accounts share the sockets. */
const accountsMost = 100;

/** Open files that a process needs besides its sockets. */
const otherFiles = 500;

const nodeArguments = [
  '--expose-gc',
  '--require',
  path.join(repositoryFolder, 'tools/bench/dist/measure/collect-garbage.js'),
];

/** What an authenticated WebSocket at rest costs a fresh process. */
export const memory: Figure = {
  name: 'memory',
  async measure(bench) {
    const { stack, sizes } = bench;
    const sockets = Math.min(sizes.idleSockets, openFilesMost() - otherFiles);
    const accounts = stack.accounts.group.slice(0, accountsMost);
    const sessions = await stack.sessions(accounts);
    const results = await takeTurns(sizes.runs, {
      chat: async () => {
        const { url, process } = await stack.startChat(nodeArguments);
        const seats = sessions.map((session) => ({ url, token: session.ws_token }));
        return await measureMemory(bench, 'chat', process, seats, sockets);
      },
      relay: async () => {
        const { url, process } = await stack.startBaseline('relay', nodeArguments);
        const seats = accounts.map((account) => seatAt(url, account));
        return await measureMemory(bench, 'relay', process, seats, sockets);
      },
    });
    return [
      {
        key: 'memory',
        what: `resident memory of one of ${sockets} idle sockets`,
        unit: 'KiB',
        subject: 'chat',
        readings: readingsOf(results, (bytes) => bytes / 1024),
        thresholds: [{ against: 'relay', atMost: 2 }],
      },
    ];
  },
};

/** The bytes that one socket more costs; ends the server. */
async function measureMemory(
  { stack, say }: ChatBench,
  subject: string,
  server: OwnProcess,
  seats: Seat[],
  sockets: number,
): Promise<number> {
  const open = async (count: number) => {
    const job = { kind: 'idle' as const, seats, sockets: count };
    const load = await startLoad(stack.running, { name: 'idle', script: loadScript, job });
    idleResult.parse(JSON.parse(await load.line('{', openTimeoutMs)));
    return load;
  };
  await (await open(Math.min(rehearsalSockets, sockets))).discard();
  const before = await settledMemory(server);
  const load = await open(sockets);
  const after = await settledMemory(server);
  await load.discard();
  await server.discard();
  const perSocket = (after - before) / sockets;
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  say(`  memory, ${subject}: ${numberText(perSocket / 1024)} KiB a socket (${mib(before)}, then ${mib(after)})`);
  return perSocket;
}

/** As many as the system allows this process, and so its children. Node raises the soft limit to the hard one. */
function openFilesMost(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity; // Not Linux: it will show.
  }
}
