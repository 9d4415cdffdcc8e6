import { HiveClient } from '../node/hive-client';
import { type BlockFollowerOptions, settingsOf } from './options';

function settingsFor(nodes: number, options: Partial<BlockFollowerOptions> = {}) {
  const urls = Array.from({ length: nodes }, (_none, index) => `http://127.0.0.1:${index + 1}`);
  return settingsOf({
    api: new HiveClient({ urls }),
    name: 'test',
    virtualOperations: [],
    start: () => Promise.resolve(1),
    apply: () => Promise.resolve(),
    observe: () => {
      throw new Error('unused');
    },
    database: { url: '', isUnavailable: () => false, isPooled: () => Promise.resolve(false) },
    ...options,
  });
}

it.each([
  [1, 2],
  [2, 3],
  [4, 5],
  [9, 5],
])('fetches from %d nodes %d ranges at once', (nodes, concurrentFetches) => {
  expect(settingsFor(nodes)).toMatchObject({ concurrentFetches, readAheadBatches: concurrentFetches + 1 });
});

it('lets ranges wait for a comparison only if there are nodes to compare', () => {
  expect(settingsFor(1).maxUncomparedRanges).toBe(1);
  expect(settingsFor(2).maxUncomparedRanges).toBeGreaterThan(100);
});

it.each([{ batchBlocks: 0 }, { batchBlocks: 1_001 }, { concurrentFetches: 0 }, { readAheadBatches: 0 }])(
  'rejects %j',
  (options) => {
    expect(() => settingsFor(1, options)).toThrow(RangeError);
  },
);
