import { CircuitBreaker } from './circuit-breaker';

const breaker = (): CircuitBreaker => new CircuitBreaker({ firstMs: 1_000, maxMs: 60_000 });

test('a response to a call from before the failure does not close it', () => {
  const node = breaker();
  node.fail(100);
  expect(node.succeed(99)).toBe(false);
  expect(node.stateAt(100)).toBe('open');
  expect(node.succeed(100)).toBe(true);
  expect(node.stateAt(100)).toBe('closed');
});

test('many calls that fail together open it once', () => {
  const node = breaker();
  expect(Array.from({ length: 20 }, () => node.fail(0))).toEqual([true, ...Array<boolean>(19).fill(false)]);
  expect([node.stateAt(999), node.stateAt(1_000)]).toEqual(['open', 'half-open']);
});

test('each failed trial doubles the pause up to a limit, and a success resets it', () => {
  const node = breaker();
  let nowMs = 0;
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    node.fail(nowMs);
    nowMs += pauseMs;
    expect([node.stateAt(nowMs - 1), node.stateAt(nowMs)]).toEqual(['open', 'half-open']);
  }
  node.succeed(nowMs);
  node.fail(nowMs);
  expect(node.stateAt(nowMs + 1_000)).toBe('half-open');
});

test('there is one trial at a time', () => {
  const node = breaker();
  expect(node.startTrial(0)).toBe(false);
  node.fail(0);
  expect(node.startTrial(999)).toBe(false);
  expect([node.startTrial(1_000), node.startTrial(1_000)]).toEqual([true, false]);
  node.endTrial();
  expect(node.startTrial(1_000)).toBe(true);
});

test('Retry-After extends the pause', () => {
  const node = breaker();
  node.fail(0, 30_000);
  expect([node.stateAt(29_999), node.stateAt(30_000)]).toEqual(['open', 'half-open']);
});
