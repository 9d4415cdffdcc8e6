import { setTimeout } from 'node:timers/promises';
import { Devnet, recentGenesisTime, type SoftwareName } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { DelegationUnderTest } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';

/** `LONG=true`: two minutes of blocks at the interval of Hive. */
const { seconds, blockIntervalMs } = isLong
  ? { seconds: 120, blockIntervalMs: 3_000 }
  : { seconds: 5, blockIntervalMs: 1_000 };

/** One call for each block of Hive, and room for some more. In the short form a block takes one second. */
const maxCallsPerSecond = isLong ? 0.5 : 1.7;

const enumVirtualOps = 'account_history_api.enum_virtual_ops';

interface Observed {
  readonly samples: number;
  readonly readySamples: number;
  readonly maxLagBlocks: number;
  /** Lines of the log with level `warn` or worse. */
  readonly warnings: readonly string[];
  /** Calls of `enum_virtual_ops` per second and node. */
  readonly callsPerSecond: number;
}

/** Runs an indexer beside a moving head, and samples it four times a second once it is ready. */
async function observe(nodes: readonly SoftwareName[]): Promise<Observed> {
  const devnet = await Devnet.start({ nodes, unsigned: true, blockIntervalMs, genesisTime: recentGenesisTime() });
  for (const node of devnet.nodes) if (node.software === 'haf') node.misbehave({ storageDelayMs: 400 });
  const service = await DelegationUnderTest.start();
  const indexer = await IndexerUnderTest.start(service.database.url, devnet.urls, {
    startFrom: 'first-block',
    pollIntervalMs: 1_000,
  });
  await until(() => indexer.isReady());
  const calls = () => devnet.nodes.reduce((sum, { calls: counts }) => sum + (counts.get(enumVirtualOps) ?? 0), 0);
  const before = calls();
  const ready: boolean[] = [];
  let maxLagBlocks = 0;
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs;) {
    ready.push(await indexer.isReady());
    maxLagBlocks = Math.max(maxLagBlocks, (await indexer.metric('chain_follower_lag_blocks')) ?? 0);
    await setTimeout(250);
  }
  const callsPerSecond = (calls() - before) / seconds / nodes.length;
  await indexer.stop();
  await service.stop();
  await devnet.stop();
  const warnings = indexer.logLines.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
  return {
    samples: ready.length,
    readySamples: ready.filter(Boolean).length,
    maxLagBlocks,
    // Several applications run in this process.
    warnings: warnings.filter((line) => !line.includes('DataSourceNameRegistry')),
    callsPerSecond,
  };
}

test.each<[SoftwareName[]]>([[['haf', 'haf', 'haf']], [['haf']], [['haf', 'hived']], [['hived', 'hived', 'hived']]])(
  'an indexer on nodes of %j stays ready while the head moves',
  async (nodes) => {
    const { samples, readySamples, warnings, ...observed } = await observe(nodes);
    if (isLong) console.log(nodes.join(', '), { samples, readySamples, warnings: warnings.length, ...observed });
    expect({ readySamples, warnings }).toEqual({ readySamples: samples, warnings: [] });
    expect(observed.callsPerSecond).toBeLessThanOrEqual(maxCallsPerSecond);
    expect(observed.maxLagBlocks).toBeLessThanOrEqual(2);
  },
  (seconds + 60) * 1_000,
);
