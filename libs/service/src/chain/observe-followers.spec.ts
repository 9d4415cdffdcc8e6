import { FatalChainError, HiveNodesUnavailableError, type ObservedStatus, OperationFormatError } from '@waggle/chain';
import { Registry } from 'prom-client';
import { createLogger } from '../observability/logging';
import { observeFollowers } from './observe-followers';

const nowMs = Date.UTC(2026, 0, 1);

/** The status of a follower that has half of the chain to apply, at 4 blocks per second. */
const catchingUp: ObservedStatus = {
  role: 'leader',
  headBlock: 210,
  irreversibleBlock: 200,
  processedBlock: 100,
  processedBlockTime: new Date(nowMs - 60_000),
  processedAt: new Date(nowMs),
  blocksPerSecond: 4,
  isContradicted: false,
  error: undefined,
  endBlock: Infinity,
};
/** The status of a follower that applied every block of a range that ends before the chain does. */
const ended: ObservedStatus = { ...catchingUp, role: 'ended', processedBlock: 110, endBlock: 110 };

const position = {
  block: { number: 7, id: 'x' },
  operation: { index: 2, type: 'vote_operation', transactionId: 'y', isVirtual: false },
};
const unavailable = new HiveNodesUnavailableError('database_api.get_version', []);

/** Observes followers whose metrics, log and terminal are read by the test. */
function startObserving({ isTTY = false } = {}) {
  const registry = new Registry();
  const logLines: string[] = [];
  const terminalTexts: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => logLines.push(line) });
  const terminal = { isTTY, write: (text: string) => terminalTexts.push(text) };
  return {
    observe: observeFollowers(registry, logger, terminal),
    terminalTexts,
    /** The entries of the log, without what all have in common. */
    logged: () =>
      logLines.map((line) => {
        const { level, msg, follower, ...details }: Record<string, unknown> = JSON.parse(line);
        return { level, msg, follower, details };
      }),
    /** The samples of the followers, without the prefix. */
    samples: async () => {
      const lines = (await registry.metrics()).split('\n');
      return lines.flatMap((line) => line.match(/^chain_follower_(.+)$/)?.[1] ?? []);
    },
  };
}

const withDetails = (details: object): unknown => expect.objectContaining(details);

let monotonicMs = 0;
beforeEach(() => {
  monotonicMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
  jest.spyOn(Date, 'now').mockReturnValue(nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the metrics of followers', () => {
  test('show the status of a follower that is catching up', async () => {
    const { observe, samples } = startObserving();
    observe('main', () => catchingUp);
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'head_block{follower="main"} 210',
        'irreversible_block{follower="main"} 200',
        'processed_block{follower="main"} 100',
        'lag_blocks{follower="main"} 100',
        'lag_seconds{follower="main"} 60',
        'blocks_per_second{follower="main"} 4',
        'eta_seconds{follower="main"} 25',
        'contradicted{follower="main"} 0',
        'role{follower="main",role="leader"} 1',
        'role{follower="main",role="standby"} 0',
      ]),
    );
  });

  test('show no lag of a follower that has ended, although the chain goes on', async () => {
    const { observe, samples } = startObserving();
    observe('past', () => ended);
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'lag_blocks{follower="past"} 0',
        'eta_seconds{follower="past"} 0',
        'role{follower="past",role="ended"} 1',
      ]),
    );
  });

  test('show that every node contradicts itself or the chain', async () => {
    const { observe, samples } = startObserving();
    observe('main', () => ({ ...catchingUp, isContradicted: true }));
    expect(await samples()).toContain('contradicted{follower="main"} 1');
  });

  test('count blocks, errors and ranges that were not compared, for each follower', async () => {
    const { observe, samples } = startObserving();
    const main = observe('main', () => catchingUp);
    observe('past', () => ended);
    main.onApplied(60);
    main.onApplied(40);
    main.onRetry(unavailable, /* isContradiction */ false);
    main.onRetry(unavailable, /* isContradiction */ true);
    main.onUndecodable(new OperationFormatError(position, 'unknown'));
    main.onNotCompared();
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'blocks_total{follower="main"} 100',
        'blocks_total{follower="past"} 0',
        'errors_total{follower="main"} 3',
        'errors_total{follower="past"} 0',
        'ranges_not_compared_total{follower="main"} 1',
        'ranges_not_compared_total{follower="past"} 0',
      ]),
    );
  });
});

describe('the log names the follower and', () => {
  test('its new role, with the last applied block', () => {
    const { observe, logged } = startObserving();
    observe('main', () => catchingUp).onRole('leader');
    const details = withDetails({ role: 'leader', block: 100 });
    expect(logged()).toEqual([{ level: 'info', msg: 'the block follower is leader', follower: 'main', details }]);
  });

  test.each([
    { isContradiction: false, level: 'warn', msg: 'the block follower retries after an error' },
    {
      isContradiction: true,
      level: 'error',
      msg: 'every node contradicts itself or the chain: no block is applied until one of them is consistent',
    },
  ])('an error that repeats within ten seconds once, at level $level', ({ isContradiction, level, msg }) => {
    const { observe, logged } = startObserving();
    const follower = observe('main', () => catchingUp);
    for (const atMs of [0, 5_000, 9_999, 10_000]) {
      monotonicMs = atMs;
      follower.onRetry(unavailable, isContradiction);
    }
    expect(logged()).toEqual([
      { level, msg, follower: 'main', details: withDetails({ leftOut: 0 }) },
      { level, msg, follower: 'main', details: withDetails({ leftOut: 2 }) },
    ]);
  });

  test('the position of an operation that cannot be decoded', () => {
    const { observe, logged } = startObserving();
    observe('main', () => catchingUp).onUndecodable(new OperationFormatError(position, 'unknown'));
    const msg =
      'a node returns an operation in a format that the handler cannot decode: the block is read from another node';
    expect(logged()).toEqual([{ level: 'error', msg, follower: 'main', details: withDetails(position) }]);
  });

  test('the position at which it has stopped', () => {
    const { observe, logged } = startObserving();
    observe('main', () => catchingUp).onStop(new FatalChainError('rejected', position));
    const msg = 'the block follower has stopped';
    expect(logged()).toEqual([{ level: 'fatal', msg, follower: 'main', details: withDetails(position) }]);
  });
});

describe('progress', () => {
  test('is a bar on a terminal, where other events are still logged', () => {
    const { observe, logged, terminalTexts } = startObserving({ isTTY: true });
    const follower = observe('main', () => catchingUp);
    monotonicMs = 60_000;
    follower.onApplied(60);
    expect(terminalTexts).toEqual([
      expect.stringMatching(/main \[#{12}-{12}\] {2}50\.0 % {2}100 of 200 blocks {2}4 blocks\/s {2}25 s left/),
    ]);
    expect(logged()).toEqual([]);
    follower.onRole('standby');
    expect(logged()).toHaveLength(1);
  });

  test('is logged every ten seconds without a terminal', () => {
    const { observe, logged, terminalTexts } = startObserving();
    const follower = observe('main', () => catchingUp);
    for (const atMs of [9_999, 10_000, 19_999, 20_000]) {
      monotonicMs = atMs;
      follower.onApplied(1);
    }
    const details = withDetails({ block: 100, target: 200, remainingBlocks: 100, blocksPerSecond: 4, etaSeconds: 25 });
    const line = { level: 'info', msg: 'the block follower is catching up', follower: 'main', details };
    expect(logged()).toEqual([line, line]);
    expect(terminalTexts).toEqual([]);
  });

  test('is not logged by a follower that keeps up with the chain', () => {
    const { observe, logged } = startObserving();
    const follower = observe('main', () => ({ ...catchingUp, processedBlock: 200 }));
    monotonicMs = 10_000;
    follower.onApplied(20);
    expect(logged()).toEqual([]);
  });
});
