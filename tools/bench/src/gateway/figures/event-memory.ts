import { type ServiceProcess } from '@waggle/running';
import { measurableArguments, memoryPerConnection } from '../../measure/resident-memory';
import { type Figure } from '../../measure/run-bench';
import { startLoad } from '../../measure/run-load';
import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { type GatewayBench, loadScript } from '../gateway-bench';
import { type StreamsJob, streamsResult } from '../jobs';

const openTimeoutMs = 120_000;

/** Resident memory of a new gateway per idle event stream. */
export const eventMemory: Figure<GatewayBench> = {
  name: 'event-memory',
  async measure({ stack, sizes, print }) {
    const { idleStreams, accounts, sharesGateway } = sizes;
    const measure = (subject: string, { url, process }: ServiceProcess, isShared = false) =>
      memoryPerConnection({
        server: process,
        isShared,
        connections: idleStreams,
        open: async (streams) => {
          const job: StreamsJob = { kind: 'streams', url, streams, accounts };
          const load = await startLoad(stack.running, { name: 'idle', script: loadScript, job });
          streamsResult.parse(JSON.parse(await load.line('{', openTimeoutMs)));
          return load;
        },
        print: (line) => {
          print(`  ${subject}: ${line}`);
        },
      });
    const results = await takeTurns(sizes.memoryRuns, {
      gateway: async () =>
        sharesGateway
          ? measure('gateway', stack.gateway, true)
          : measure('gateway', await stack.startGateway(measurableArguments)),
      'bare Node': async () => measure('bare Node', await stack.startBareStreams(measurableArguments)),
    });
    return [
      {
        key: 'event-memory',
        what: `resident memory per stream of ${numberText(idleStreams)} idle event streams`,
        unit: 'KiB',
        subject: 'gateway',
        readings: readingsOf(results, (bytes) => bytes / 1024),
        thresholds: [{ against: 'bare Node', atMost: 3 }],
      },
    ];
  },
};
