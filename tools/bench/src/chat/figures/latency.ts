import { type Measure } from '../../measure/measure';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type Figure, measureOnce, readingsAndProblem } from '../chat-bench';
import { type LatencyResult, latencyResult, type Pair } from '../jobs';
import { pairsOfBaseline, pairsOfChat } from '../pairs';

/** From when a message is due to its arrival, at a moderate rate. */
export const latency: Figure = {
  name: 'latency',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { offeredPerSecond, warmUpMs, measuredMs } = sizes;
    const { url } = await stack.chat();
    const chat = await pairsOfChat(stack, { senders: url, receivers: url });
    const insertEach = pairsOfBaseline(stack, (await stack.baseline()).url);
    const measureLatency = (subject: string, pairs: Pair[]) => () => {
      const job = { kind: 'latency' as const, pairs, offeredPerSecond, warmUpMs, measuredMs };
      return measureOnce(bench, subject, job, latencyResult, describeLatency);
    };
    const results = await takeTurns(sizes.runs, {
      chat: measureLatency('chat', chat),
      'insert-each': measureLatency('insert-each', insertEach),
    });
    const measure = (share: 'p50' | 'p99', read: (result: LatencyResult) => number, atMost: number): Measure => ({
      key: `latency-${share}`,
      what: `latency at ${numberText(offeredPerSecond)} messages/s, ${share}`,
      unit: 'ms',
      subject: 'chat',
      ...readingsAndProblem(results, read),
      thresholds: [{ against: 'insert-each', atMost }],
    });
    return [measure('p50', ({ p50Ms }) => p50Ms, 1.5), measure('p99', ({ p99Ms }) => p99Ms, 3)];
  },
};

function describeLatency({ p50Ms, p99Ms, lateMs }: LatencyResult): string {
  return `p50 ${numberText(p50Ms)} ms, p99 ${numberText(p99Ms)} ms (sent late by ${numberText(lateMs)} ms, p99)`;
}
