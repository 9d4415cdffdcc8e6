import { readFileSync } from 'node:fs';
import { type OwnProcess } from '@waggle/running';
import { measurableArguments, memoryPerConnection } from '../../measure/resident-memory';
import { startLoad } from '../../measure/run-load';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { type Figure, loadScript } from '../chat-bench';
import { idleResult, type Participant } from '../jobs';
import { participantAt } from '../pairs';

/** Opening ten thousand sockets takes some seconds. */
const openTimeoutMs = 120_000;

/** The number of accounts that share the sockets. */
const maxAccounts = 100;

/** Open files that a process needs besides its sockets. */
const otherFiles = 500;

/** Resident memory of a new process per idle authenticated WebSocket. */
export const memory: Figure = {
  name: 'memory',
  async measure({ stack, sizes, print }) {
    const { sharesServers } = sizes;
    const sockets = Math.min(sizes.idleSockets, maxOpenFiles() - otherFiles);
    const accounts = stack.accounts.group.slice(0, maxAccounts);
    const sessions = await stack.sessions(accounts);
    const measure = (subject: string, server: OwnProcess, participants: Participant[]) =>
      memoryPerConnection({
        server,
        isShared: sharesServers,
        connections: sockets,
        open: async (count) => {
          const job = { kind: 'idle' as const, participants, sockets: count };
          const load = await startLoad(stack.running, { name: 'idle', script: loadScript, job });
          idleResult.parse(JSON.parse(await load.line('{', openTimeoutMs)));
          return load;
        },
        print: (line) => {
          print(`  memory, ${subject}: ${line}`);
        },
      });
    const results = await takeTurns(sizes.runs, {
      chat: async () => {
        const { url, process } = await (sharesServers ? stack.chat() : stack.startChat(measurableArguments));
        const participants = sessions.map((session) => ({ url, token: session.ws_token }));
        return await measure('chat', process, participants);
      },
      'insert-each': async () => {
        const { url, process } = await (sharesServers ? stack.baseline() : stack.startBaseline(measurableArguments));
        const participants = accounts.map((account) => participantAt(url, account));
        return await measure('insert-each', process, participants);
      },
    });
    return [
      {
        key: 'memory',
        what: `resident memory per socket of ${numberText(sockets)} idle sockets`,
        unit: 'KiB',
        subject: 'chat',
        readings: readingsOf(results, (bytes) => bytes / 1024),
        thresholds: [{ against: 'insert-each', atMost: 2 }],
      },
    ];
  },
};

/** The limit of open files of this process and its children; Node raises the soft limit to the hard one. */
function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity; // Not Linux.
  }
}
