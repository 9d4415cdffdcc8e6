import { FatalChainError, HiveNodesUnavailableError, type ObservedStatus } from '@waggle/chain';
import { Registry } from 'prom-client';
import { createLogger } from '../observability/logging';
import { observeFollowers } from './observe-followers';

const status: ObservedStatus = {
  role: 'leader',
  headBlock: 130,
  irreversibleBlock: 120,
  processedBlock: 100,
  processedBlockTime: new Date(Date.now() - 60_000),
  processedAt: new Date(),
  blocksPerSecond: 4,
  isContradicted: false,
  error: undefined,
  endBlock: Infinity,
};

function observed({ isTTY = false } = {}) {
  const registry = new Registry();
  const written: string[] = [];
  const drawn: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => written.push(line) });
  const lines = () => written.map((line): unknown => JSON.parse(line));
  const terminal = { isTTY, write: (text: string) => drawn.push(text) };
  return { observe: observeFollowers(registry, logger, terminal), registry, lines, drawn };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('metrics show the status and the events of each follower', async () => {
  const { observe, registry } = observed();
  const main = observe('main', () => status);
  observe('past', () => ({ ...status, role: 'ended', isContradicted: true, endBlock: 110, processedBlock: 104 }));
  main.onApplied(60);
  main.onApplied(40);
  main.onRetry(new Error('away'), false);
  main.onNotCompared();
  const metrics = await registry.metrics();
  for (const line of [
    'head_block{follower="main"} 130',
    'irreversible_block{follower="main"} 120',
    'processed_block{follower="main"} 100',
    'lag_blocks{follower="main"} 20',
    'lag_blocks{follower="past"} 6',
    'blocks_total{follower="main"} 100',
    'blocks_total{follower="past"} 0',
    'errors_total{follower="main"} 1',
    'blocks_per_second{follower="main"} 4',
    'eta_seconds{follower="main"} 5',
    'eta_seconds{follower="past"} 0',
    'contradicted{follower="main"} 0',
    'contradicted{follower="past"} 1',
    'ranges_not_compared_total{follower="main"} 1',
    'role{follower="main",role="leader"} 1',
    'role{follower="main",role="standby"} 0',
    'role{follower="past",role="ended"} 1',
  ])
    expect(metrics).toContain(`chain_follower_${line}`);
  const [, lag] = /chain_follower_lag_seconds\{follower="main"\} ([\d.]+)/.exec(metrics) ?? [];
  expect(Number(lag)).toBeCloseTo(60, 0);
});

test('each event is one line with the name of the follower, and repeated errors are one line', () => {
  const { observe, lines } = observed();
  const follower = observe('main', () => status);
  follower.onRole('leader');
  for (let i = 0; i < 3; i += 1) follower.onRetry(new HiveNodesUnavailableError('a.b', []), true);
  follower.onStop(new FatalChainError('no', { block: { number: 7, id: 'x' } }));
  expect(lines()).toEqual([
    expect.objectContaining({ level: 'info', follower: 'main', role: 'leader', block: 100 }),
    expect.objectContaining({ level: 'error', follower: 'main', leftOut: 0 }),
    expect.objectContaining({ level: 'fatal', follower: 'main', block: { number: 7, id: 'x' } }),
  ]);
});

test('a terminal shows a progress bar instead of log lines', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { observe, lines, drawn } = observed({ isTTY: true });
  const follower = observe('main', () => status);
  now.mockReturnValue(60_000);
  follower.onApplied(60);
  expect(drawn).toEqual([
    expect.stringMatching(/main \[#+-+\] {2}83\.3 % {2}100 of 120 blocks {2}4 blocks\/s {2}5 s left/),
  ]);
  expect(lines()).toEqual([]);
});

test('without a terminal, progress is logged every ten seconds until the follower has caught up', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { observe, lines, drawn } = observed();
  let processedBlock = 100;
  const follower = observe('main', () => ({ ...status, processedBlock }));
  for (const atMs of [9_999, 10_000, 19_999, 20_000]) {
    now.mockReturnValue(atMs);
    follower.onApplied(1);
  }
  processedBlock = 120;
  now.mockReturnValue(30_000);
  follower.onApplied(20);
  const line = expect.objectContaining({
    level: 'info',
    follower: 'main',
    block: 100,
    target: 120,
    remainingBlocks: 20,
    blocksPerSecond: 4,
    etaSeconds: 5,
  }) as unknown;
  expect(lines()).toEqual([line, line]);
  expect(drawn).toEqual([]);
});
