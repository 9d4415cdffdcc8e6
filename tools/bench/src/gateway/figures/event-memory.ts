import path from 'node:path';
import { type OwnProcess, repositoryFolder } from '@waggle/running';
import { settledMemory } from '../../measure/resident-memory';
import { type Figure } from '../../measure/run-bench';
import { startLoad } from '../../measure/run-load';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { type GatewayBench, loadScript } from '../gateway-bench';
import { type StreamsJob, streamsResult } from '../jobs';

const openTimeoutMs = 120_000;

/** Streams that come and go before anything is measured, so that what is loaded and compiled once does not count. */
const rehearsalStreams = 200;

const nodeArguments = [
  '--expose-gc',
  '--require',
  path.join(repositoryFolder, 'tools/bench/dist/measure/collect-garbage.js'),
];

/** What an idle stream costs a fresh gateway. */
export const eventMemory: Figure<GatewayBench> = {
  name: 'event-memory',
  async measure(bench) {
    const { stack, sizes } = bench;
    const results = await takeTurns(sizes.memoryRuns, {
      gateway: async () => measureMemory(bench, 'gateway', await stack.startGateway(nodeArguments)),
      'bare Node': async () => measureMemory(bench, 'bare Node', await stack.startBareStreams(nodeArguments)),
    });
    return [
      {
        key: 'event-memory',
        what: `resident memory of one of ${sizes.idleStreams} idle event streams`,
        unit: 'KiB',
        subject: 'gateway',
        readings: readingsOf(results, (bytes) => bytes / 1024),
        thresholds: [{ against: 'bare Node', atMost: 3 }],
      },
    ];
  },
};

/** @returns the bytes that one more stream costs; ends the server */
async function measureMemory(
  { stack, sizes, say }: GatewayBench,
  subject: string,
  { url, process }: { url: string; process: OwnProcess },
): Promise<number> {
  const { idleStreams: streams, accounts } = sizes;
  const open = async (count: number) => {
    const job: StreamsJob = { kind: 'streams', url, streams: count, accounts };
    const load = await startLoad(stack.running, { name: 'idle', script: loadScript, job });
    streamsResult.parse(JSON.parse(await load.line('{', openTimeoutMs)));
    return load;
  };
  await (await open(Math.min(rehearsalStreams, streams))).discard();
  const before = await settledMemory(process);
  const load = await open(streams);
  const after = await settledMemory(process);
  await load.discard();
  await process.discard();
  const bytes = (after - before) / streams;
  const mib = (value: number) => `${Math.round(value / 2 ** 20)} MiB`;
  say(`  ${subject}: ${numberText(bytes / 1024)} KiB a stream (${mib(before)}, then ${mib(after)})`);
  return bytes;
}
