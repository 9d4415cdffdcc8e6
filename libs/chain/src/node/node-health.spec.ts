import { NodeHealth } from './node-health';

const health = (): NodeHealth => new NodeHealth({ firstMs: 1_000, longestMs: 60_000 });

test('an answer to a call from before the failure does not end the pause', () => {
  const node = health();
  node.failed(100);
  node.answered(99);
  expect(node.stateAt(100)).toBe('aside');
  node.answered(100);
  expect(node.stateAt(100)).toBe('usable');
});

test('an answer makes the next pause short again', () => {
  const node = health();
  node.failed(0);
  node.failed(1_000);
  expect(node.stateAt(2_999)).toBe('aside');
  node.answered(3_000);
  node.failed(4_000);
  expect(node.stateAt(5_000)).toBe('usable');
});

test('the order: never failed, failed once, lagging, aside', () => {
  const [fresh, recovering, lagging, aside] = [health(), health(), health(), health()];
  recovering.failed(0);
  lagging.sawHead(1, true);
  aside.failed(1_000);
  const nodes = [aside, lagging, recovering, fresh].sort((one, other) => one.compare(other, 1_500));
  expect(nodes).toEqual([fresh, recovering, lagging, aside]);
  expect(fresh.compare(health(), 0)).toBe(0);
});

test('the pause stays within its limit however often the node fails', () => {
  const node = health();
  let nowMs = 0;
  for (let failure = 0; failure < 2_000; failure += 1) {
    node.failed(nowMs);
    nowMs += 60_000;
  }
  expect(node.stateAt(nowMs - 1)).toBe('aside');
  expect(node.stateAt(nowMs)).toBe('usable');
});
