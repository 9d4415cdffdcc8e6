import { createMetrics } from './metrics';
import { BatchingCounter } from './batching-counter';

it('adds what was counted since the last scrape, by label', async () => {
  const registry = createMetrics();
  const tally = new BatchingCounter('tally_total', 'Tried', ['route', 'outcome'], registry);
  const read = async () => (await registry.getSingleMetricAsString('tally_total')).split('\n').slice(2);
  expect(await read()).toEqual([]);
  tally.add(1, 'a', 'good');
  tally.add(2, 'a', 'bad');
  tally.add(1, 'a', 'good');
  expect(await read()).toEqual(['tally_total{route="a",outcome="good"} 2', 'tally_total{route="a",outcome="bad"} 2']);
  tally.add(3, 'a', 'good');
  expect(await read()).toEqual(['tally_total{route="a",outcome="good"} 5', 'tally_total{route="a",outcome="bad"} 2']);
});
