import { createMetrics } from '../observability/metrics';
import { BatchingCounter } from './batching-counter';

it('adds the counts since the last scrape, by label', async () => {
  const registry = createMetrics();
  const counter = new BatchingCounter('counter_total', 'Tried', ['route', 'outcome'], registry);
  const read = async () => (await registry.getSingleMetricAsString('counter_total')).split('\n').slice(2);
  expect(await read()).toEqual([]);
  counter.add(1, 'a', 'good');
  counter.add(2, 'a', 'bad');
  counter.add(1, 'a', 'good');
  expect(await read()).toEqual([
    'counter_total{route="a",outcome="good"} 2',
    'counter_total{route="a",outcome="bad"} 2',
  ]);
  counter.add(3, 'a', 'good');
  expect(await read()).toEqual([
    'counter_total{route="a",outcome="good"} 5',
    'counter_total{route="a",outcome="bad"} 2',
  ]);
});
