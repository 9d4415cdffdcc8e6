import { RecordedChain, type RecordedChainName, recordedChainNames, Replay, type SoftwareName } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { type IndexerConfig } from '../../src/config';
import { DelegationUnderTest } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';
import { foldDelegations } from './recorded-delegations';
import { storedState } from '../support/stored-state';

/** The folder of the recordings, which are not part of the repository. */
const folder = process.env['TEST_RECORDED_CHAIN'];

// The collage has more than 11,000 blocks.
const limitMs = 300_000;
jest.setTimeout(2 * limitMs);

/**
 * `LONG=true npx jest recorded-chain` also reads the large collage, and each recording from both kinds of nodes. The
 * short form reads the first blocks from hived, and later ones from HAfAH.
 */

const ofEach = recordedChainNames.flatMap((name) =>
  (['hived', 'haf'] as const)
    .filter((software) => isLong || name === (software === 'hived' ? 'first' : 'million'))
    .map((software) => ({ name, software })),
);

(folder === undefined ? describe.skip : describe)('the index of recorded blocks (needs TEST_RECORDED_CHAIN)', () => {
  const chains = new Map<RecordedChainName, RecordedChain>();
  const chainOf = (name: RecordedChainName) => {
    const chain = chains.get(name) ?? RecordedChain.read(folder ?? '', name);
    chains.set(name, chain);
    return chain;
  };
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  /** Indexes a chain. @returns the stored state and the expected one */
  const compareIndex = async (
    name: RecordedChainName,
    replayOptions: { software: SoftwareName; head?: number; blockIntervalMs?: number },
    settings: Partial<IndexerConfig>,
  ) => {
    const { software, ...options } = replayOptions;
    const chain = chainOf(name);
    // While the head moves, the last block becomes irreversible too.
    const lastBlock = chain.last.number - (options.blockIntervalMs === undefined ? 1 : 0);
    const replay = await Replay.start(chain, { nodes: [software], ...options });
    stops.push(() => replay.stop());
    const service = await DelegationUnderTest.start();
    stops.push(() => service.stop());
    const sinceMs = performance.now();
    const indexer = await IndexerUnderTest.start(service.database.url, replay.urls, settings);
    stops.push(() => indexer.stop());
    await indexer.reached(lastBlock, undefined, { limitMs });
    const ms = Math.round(performance.now() - sinceMs);
    await until(() => indexer.isReady());
    const stored = await storedState(service.database.url);
    const changes = stored.changes.map(({ id, ...change }) => ({ block: Math.floor(Number(id) / 2 ** 20), ...change }));
    const warnings = indexer.logLines.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
    const counts = Object.entries<unknown[]>({ ...stored }).map(([list, rows]) => `${list} ${rows.length}`);
    console.info(
      `${name} of ${software}: to block ${lastBlock} in ${ms} ms, ${counts.join(', ')}, ready, ${warnings.length} warnings`,
    );
    expect(warnings).toEqual([]);
    const { early, ...expected } = foldDelegations(chain.operations(), lastBlock);
    return { stored: { ...stored, changes }, expected, early };
  };

  it.each(ofEach)(
    'of $name from its first block, served by $software, is the expected one',
    async ({ name, software }) => {
      // The follower reads the block before its first one.
      const firstBlock = chainOf(name).first.number + (name === 'million' ? 1 : 0);
      const { stored, expected } = await compareIndex(name, { software }, { startFrom: 'first-block', firstBlock });
      expect(stored).toEqual(expected);
    },
  );

  it.each(ofEach)(
    'of $name from the current state, served by $software, is the expected one',
    async ({ name, software }) => {
      const { first, blocks } = chainOf(name);
      // So that some delegations of the state change while it is loaded.
      const busy = blocks.filter(({ state }) => state.delegations.from().next().done !== true);
      const head = busy[0]?.number ?? first.number + 100;
      const { stored, expected, early } = await compareIndex(
        name,
        { software, head, blockIntervalMs: 2 },
        { startFrom: 'current-state' },
      );
      // A load does not know that a return is complete before it is due; on Hive none is.
      const isEarly = (each: { delegator: string; amount: string }) =>
        early.some(({ delegator, amount }) => delegator === each.delegator && amount === each.amount);
      const returns = stored.returns.filter((each) => !isEarly(each));
      expect({ ...stored, returns, changes: [] }).toEqual({ ...expected, changes: [] });
    },
  );
});
