import { type Figure } from '../../measure/run-bench';
import { runLoad } from '../../measure/run-load';
import { numberText } from '../../measure/table';
import { type GatewayBench, loadScript } from '../gateway-bench';
import { type DelayJob, delayResult } from '../jobs';

const notificationsOfBlock = 20;
const maxPauseMs = 200;
const pollIntervalMs = 250;

/** The time from the commit of a block until clients receive its events. */
export const eventDelay: Figure<GatewayBench> = {
  name: 'event-delay',
  async measure({ stack, sizes, print }) {
    const { liveStreams: streams, blocks, accounts } = sizes;
    const job: DelayJob = {
      kind: 'delay',
      url: stack.gateway.url,
      databaseUrl: stack.databaseUrl,
      streams: Math.min(streams, accounts),
      accounts,
      blocks,
      notificationsOfBlock,
      maxPauseMs,
    };
    const measuredMs = blocks * (maxPauseMs + pollIntervalMs);
    const result = await runLoad(stack.running, { name: 'delay', script: loadScript, job, measuredMs }, delayResult);
    const { p50Ms, p99Ms, events, lost } = result;
    print(`  ${events} events to ${job.streams} streams: p50 ${numberText(p50Ms)} ms, p99 ${numberText(p99Ms)} ms`);
    const problem = lost > 0 ? `${lost} events did not arrive` : undefined;
    const measureOf = (key: string, value: number) => ({
      key: `event-delay-${key}`,
      what: `time from the commit of a block to its events, ${key}`,
      unit: 'ms',
      subject: 'gateway',
      readings: { gateway: [value], 'poll interval': [pollIntervalMs] },
      problem,
    });
    return [
      { ...measureOf('p50', p50Ms), thresholds: [{ against: 'poll interval', atMost: 0.8 }] },
      { ...measureOf('p99', p99Ms), thresholds: [{ against: 'poll interval', atMost: 1.5 }] },
    ];
  },
};
