import { capability } from '@waggle/contracts';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type ChatBench, type Figure, measureOnce, readingsAndProblem } from '../figure';
import { type DirectResult, directResult, type Pair } from '../jobs';
import { pairsOfBaseline, pairsOfChat } from '../pairs';

/** Durable direct messages a second at one instance. */
export const direct: Figure = {
  name: 'direct',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { url } = await stack.chat();
    const chat = await pairsOfChat(stack, { senders: url, receivers: url });
    const relay = pairsOfBaseline(stack, (await stack.baseline('relay')).url);
    const insertEach = pairsOfBaseline(stack, (await stack.baseline('insert-each')).url);
    const results = await takeTurns(sizes.runs, {
      chat: () => measureDirect(bench, 'chat', chat),
      'chat-extended': () => measureDirect(bench, 'chat-extended', chat.map(askingForAll)),
      'insert-each': () => measureDirect(bench, 'insert-each', insertEach),
      relay: () => measureDirect(bench, 'relay', relay),
    });
    return [
      {
        key: 'direct',
        what: 'durable direct messages, one instance',
        unit: 'messages/s',
        subject: 'chat',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        thresholds: [
          { against: 'insert-each', atLeast: 3 },
          { against: 'relay', atLeast: 0.4 },
        ],
      },
      {
        key: 'direct-extended',
        what: 'the same, clients that ask for all capabilities',
        unit: 'messages/s',
        subject: 'chat-extended',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'chat', atLeast: 0.7 }],
      },
    ];
  },
};

/** As the client library does: its messages are marked and numbered. */
function askingForAll({ sender, receiver, ...pair }: Pair): Pair {
  const capabilities = capability.options;
  return { ...pair, sender: { ...sender, capabilities }, receiver: { ...receiver, capabilities } };
}

/** Pairs that write as fast as they are answered. */
export function measureDirect(bench: ChatBench, subject: string, pairs: Pair[]): Promise<DirectResult> {
  const { inFlight, warmUpMs, measuredMs } = bench.sizes;
  const job = { kind: 'direct' as const, pairs, inFlight, warmUpMs, measuredMs };
  return measureOnce(bench, subject, job, directResult, tellRate);
}

function tellRate({ perSecond, busy }: DirectResult): string {
  return `${numberText(perSecond)} messages/s (load generator busy ${Math.round(busy * 100)} %)`;
}
