import { benchAccount, bigAccount } from '@waggle/running';
import { measurableArguments, stableMemory } from '../../measure/resident-memory';
import { endpointNames, targetOf } from '../endpoints';
import { type DelegationBench, type Figure, runReads } from '../delegation-bench';

/** Whether the memory of the API grows with the number of requests. */
export const memory: Figure = {
  name: 'memory',
  async measure(bench) {
    const { stack, sizes, print } = bench;
    const api = await (sizes.sharesApi ? stack.api() : stack.startApi(measurableArguments));
    await requestAll(bench, api.url);
    const before = await stableMemory(api.process);
    for (let round = 0; round < 3; round += 1) await requestAll(bench, api.url);
    const after = await stableMemory(api.process);
    if (!sizes.sharesApi) await api.process.discard();
    const mib = (bytes: number) => bytes / 2 ** 20;
    print(`  memory: ${Math.round(mib(before))} MiB, then ${Math.round(mib(after))} MiB`);
    return [
      {
        key: 'memory',
        what: 'memory of the API after four times as many requests',
        unit: 'MiB',
        subject: 'after',
        readings: { after: [mib(after)], before: [mib(before)] },
        thresholds: [{ against: 'before', atMost: 1.15 }],
      },
    ];
  },
};

/** Requests every endpoint in turn for `memoryRoundMs`. */
async function requestAll(bench: DelegationBench, url: string): Promise<void> {
  const { connections, warmUpMs, memoryRoundMs } = bench.sizes;
  const { failures } = await runReads(bench, {
    url,
    targets: endpointNames.map(targetOf),
    accounts: [bigAccount, benchAccount(1), benchAccount(2)],
    connections,
    warmUpMs,
    measuredMs: memoryRoundMs,
  });
  if (failures[0] !== undefined) throw new Error(failures[0]);
}
