import { capability } from '@waggle/contracts';
import { type OwnProcess } from '@waggle/running';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type ChatBench, cpuUsOf, type Figure, measureOnce, readingsAndProblem } from '../chat-bench';
import { type DirectResult, directResult, type Pair } from '../jobs';
import { pairsOfBaseline, pairsOfChat } from '../pairs';

/** Durable direct messages per second at one instance. */
export const direct: Figure = {
  name: 'direct',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { url, process } = await stack.chat();
    const chat = await pairsOfChat(stack, { senders: url, receivers: url });
    const baseline = await stack.baseline();
    const atBaseline = pairsOfBaseline(stack, baseline.url);
    const results = await takeTurns(sizes.runs, {
      chat: () => measureDirect(bench, 'chat', chat, process),
      'chat-extended': () => measureDirect(bench, 'chat-extended', chat.map(withAllCapabilities), process),
      'insert-each': () => measureDirect(bench, 'insert-each', atBaseline, baseline.process),
    });
    const cpuUs = cpuUsOf(results, ({ perSecond }) => perSecond);
    return [
      {
        key: 'direct',
        what: 'durable direct messages, one instance',
        unit: 'messages/s',
        subject: 'chat',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        cpuUs,
        thresholds: [{ against: 'insert-each', atLeast: 3 }],
      },
      {
        key: 'direct-extended',
        what: 'the same with all capabilities requested',
        unit: 'messages/s',
        subject: 'chat-extended',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        cpuUs,
        thresholds: [{ against: 'chat', atLeast: 0.7 }],
      },
    ];
  },
};

/** Requests all capabilities, as the client library does. */
function withAllCapabilities({ sender, receiver, ...pair }: Pair): Pair {
  const capabilities = capability.options;
  return { ...pair, sender: { ...sender, capabilities }, receiver: { ...receiver, capabilities } };
}

/** Measures pairs that write as fast as possible. @param server its CPU time is measured */
export function measureDirect(
  bench: ChatBench,
  subject: string,
  pairs: Pair[],
  server?: OwnProcess,
): Promise<DirectResult> {
  const { inFlight, warmUpMs, measuredMs } = bench.sizes;
  const processes = server && bench.stack.processesOf(server);
  const job = { kind: 'direct' as const, pairs, inFlight, processes, warmUpMs, measuredMs };
  return measureOnce(bench, subject, job, directResult, describeRate);
}

function describeRate({ perSecond, busy }: DirectResult): string {
  return `${numberText(perSecond)} messages/s (load generator busy ${Math.round(busy * 100)} %)`;
}
