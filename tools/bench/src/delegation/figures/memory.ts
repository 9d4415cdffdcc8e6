import path from 'node:path';
import { accountName, bigAccount, repositoryFolder } from '@waggle/running';
import { settledMemory } from '../../measure/resident-memory';
import { endpointNames, targetOf } from '../endpoints';
import { type DelegationBench, type Figure, runReads } from '../figure';
import { startApi } from '../service';

const nodeArguments = [
  '--expose-gc',
  '--require',
  path.join(repositoryFolder, 'tools/bench/dist/measure/collect-garbage.js'),
];

/** Whether the API holds more when it has answered for a while. */
export const memory: Figure = {
  name: 'memory',
  async measure(bench) {
    const { stack, say } = bench;
    const api = await startApi(stack.running, await stack.filledDatabase(), nodeArguments);
    await askAll(bench, api.url);
    const before = await settledMemory(api.process);
    for (let round = 0; round < 3; round += 1) await askAll(bench, api.url);
    const after = await settledMemory(api.process);
    await api.process.discard();
    const mib = (bytes: number) => bytes / 2 ** 20;
    say(`  memory: ${Math.round(mib(before))} MiB, then ${Math.round(mib(after))} MiB`);
    return [
      {
        key: 'memory',
        what: 'memory of the API after three times as many requests more',
        unit: 'MiB',
        subject: 'after',
        readings: { after: [mib(after)], before: [mib(before)] },
        thresholds: [{ against: 'before', atMost: 1.15 }],
      },
    ];
  },
};

/** Requests every endpoint in turn for `memoryRoundMs`. */
async function askAll(bench: DelegationBench, url: string) {
  const { connections, warmUpMs, memoryRoundMs } = bench.sizes;
  const { failures } = await runReads(bench, {
    url,
    targets: endpointNames.map(targetOf),
    accounts: [bigAccount, accountName(1), accountName(2)],
    connections,
    warmUpMs,
    measuredMs: memoryRoundMs,
  });
  if (failures[0] !== undefined) throw new Error(failures[0]);
}
