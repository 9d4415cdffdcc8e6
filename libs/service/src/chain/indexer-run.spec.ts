import { FatalChainError, type FollowerStatus } from '@waggle/chain';
import { createLogger } from '../observability/logging';
import { IndexerRun, type IndexerTask } from './indexer-run';

type Status = Pick<FollowerStatus, 'error' | 'processedBlock'>;

const following: Status = { error: undefined, processedBlock: 7 };

function indexerOf(runFollower: IndexerTask['run'], others: readonly IndexerTask[] = [], status = following) {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const follower = { run: runFollower, status: () => status };
  return { indexer: new IndexerRun({ follower, others }, logger), lines };
}

const untilAborted: IndexerTask['run'] = (signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

test('a task that fails is logged and shown as the error, while the follower continues', async () => {
  const failure = new Error('no such table');
  const { indexer, lines } = indexerOf(untilAborted, [{ run: () => Promise.reject(failure) }]);
  const stop = new AbortController();
  const running = indexer.run(stop.signal);
  await Promise.resolve();
  expect(indexer.error).toBe(failure);
  expect(lines).toHaveLength(1);
  stop.abort();
  await running;
});

test('a fatal error of the follower is shown, and not logged a second time', async () => {
  const failure = new FatalChainError('operation rejected', undefined);
  const { indexer, lines } = indexerOf(() => Promise.reject(failure));
  await indexer.run(new AbortController().signal);
  expect(indexer.error).toBe(failure);
  expect(lines).toEqual([]);
});

test('an error that blocks the follower is logged once, however often readiness is checked', async () => {
  const standstill = new Error('No block after 7 has become irreversible');
  const { indexer, lines } = indexerOf(untilAborted, [], { ...following, error: standstill });
  for (let check = 0; check < 3; check += 1)
    await expect(indexer.requireFollowing()).rejects.toThrow('does not follow');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(standstill.message);
});

test('an indexer without an error follows the chain', async () => {
  const { indexer, lines } = indexerOf(untilAborted);
  await indexer.requireFollowing();
  expect(lines).toEqual([]);
});

test('an indexer without any block is not ready, which is no error', async () => {
  const { indexer, lines } = indexerOf(untilAborted, [], { ...following, processedBlock: undefined });
  await expect(indexer.requireFollowing()).rejects.toThrow('no block yet');
  expect(lines).toEqual([]);
});
