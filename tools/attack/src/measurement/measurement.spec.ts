import { liveFigures } from './measurement';

it('summarizes the health probes of a day', () => {
  const count = (24 * 3_600_000) / 200;
  const liveMs = Array.from({ length: count }, (_none, index) => index + 1);
  expect(liveFigures(liveMs)).toEqual({ liveP99Ms: count * 0.99, liveMaxMs: count });
  expect(liveFigures([])).toEqual({ liveP99Ms: undefined, liveMaxMs: undefined });
});
