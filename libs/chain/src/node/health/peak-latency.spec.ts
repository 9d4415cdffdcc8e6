import { PeakLatency } from './peak-latency';

function observed(...observations: readonly (readonly [latencyMs: number, nowMs: number])[]): PeakLatency {
  const latency = new PeakLatency();
  for (const [latencyMs, nowMs] of observations) latency.observe(latencyMs, nowMs);
  return latency;
}

it.each<[string, PeakLatency, number]>([
  ['is 0 before the first observation', observed(), 0],
  ['is the first observation', observed([40, 1_000]), 40],
  ['follows a rise at once', observed([40, 0], [200, 1_000]), 200],
  ['follows a fall slowly', observed([200, 0], [40, 1_000]), 185],
  ['follows a fall at once if the last observation is stale', observed([200, -4_000], [40, 1_000]), 40],
  ['decays between observations', observed([200, -9_000]), 74],
])('the estimate %s', (_what, latency, expected) => {
  expect(Math.round(latency.estimateMs(1_000))).toBe(expected);
});

it.each<[string, boolean, PeakLatency]>([
  ['nothing', false, observed()],
  ['a latency', true, observed([40, 0])],
  ['a latency of 0 ms', true, observed([0, 0])],
  ['another latency 1 ms later', false, observed([40, 0], [40, 1])],
])('5 s after %s, the last observation is stale: %s', (_what, expected, latency) => {
  expect(latency.isStale(5_000)).toBe(expected);
});
