import { type NodeChange, NodeHealth } from './health/node-health';
import { NodeSelector } from './node-selector';

const kind = 'read test_api';

function nodesOf(count: number) {
  const clock = { ms: 0 };
  const changes: NodeChange[] = [];
  const options = {
    pauses: { firstMs: 1_000, maxMs: 5_000 },
    now: () => clock.ms,
    onChange: (change: NodeChange) => void changes.push(change),
  };
  const nodes = Array.from({ length: count }, (_, index) => ({ health: new NodeHealth(`node-${index}`, options) }));
  return { nodes, set: new NodeSelector(nodes), clock, changes };
}

type Tracked = ReturnType<typeof nodesOf>;

/** Lets a call to the node take so long. */
function take({ nodes, clock }: Tracked, index: number, ms: number): void {
  const call = nodes[index]?.health.begin(kind);
  clock.ms += ms;
  call?.succeeded();
}

/** How many of a thousand calls go to each node. */
function shares({ set, nodes }: Tracked, of: typeof kind | 'write' = kind): number[] {
  const counts = nodes.map(() => 0);
  for (let call = 0; call < 1_000; call += 1) {
    const chosen = set.choose(of);
    if (chosen) counts[nodes.indexOf(chosen)] = (counts[nodes.indexOf(chosen)] ?? 0) + 1;
  }
  return counts;
}

it('prefers a fast node, and retries a slow one when its latency is outdated', () => {
  const tracked = nodesOf(2);
  take(tracked, 0, 800);
  take(tracked, 1, 2);
  expect(shares(tracked)).toEqual([0, 1_000]);
  tracked.clock.ms += 60_000;
  expect(shares(tracked)).toEqual([1_000, 0]);
});

it('does not choose the slowest of several', () => {
  const tracked = nodesOf(4);
  [20, 20, 900, 20].forEach((ms, index) => {
    take(tracked, index, ms);
  });
  const [first, second, slow, fourth] = shares(tracked);
  expect(slow).toBe(0);
  for (const count of [first, second, fourth]) expect(count).toBeGreaterThan(50);
});

it('counts the elapsed time of a running call as its latency', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health.begin(kind);
  tracked.nodes[1]?.health.begin(kind);
  tracked.nodes[1]?.health.begin(kind).abandoned();
  tracked.clock.ms += 300;
  tracked.nodes[1]?.health.begin(kind).ignored();
  take(tracked, 1, 0);
  expect(tracked.nodes[0]?.health.latencyMs(kind)).toBe(300);
});

it('chooses the node with fewer running calls among equally fast ones', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health.begin(kind);
  expect(shares(tracked)).toEqual([0, 1_000]);
});

it('ejects a node only for the kinds of calls that it fails', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health.begin('write').failed({ reason: 'timeout' });
  expect([shares(tracked), shares(tracked, 'write')]).toEqual([
    [1_000, 0],
    [0, 1_000],
  ]);
  expect(tracked.changes).toEqual([{ node: 'node-0', change: 'ejected', kinds: ['write'], reason: 'timeout' }]);
});

it('ejects an unreachable node for all calls', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health.begin('write').succeeded();
  tracked.nodes[0]?.health.begin(kind).failed({ reason: 'unreachable', isOfWholeNode: true });
  expect([shares(tracked), shares(tracked, 'write')]).toEqual([
    [0, 1_000],
    [0, 1_000],
  ]);
  expect(tracked.changes).toHaveLength(1);
});

it('ejects a rate-limited node even for kinds of calls that it has not received before', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health
    .begin('head')
    .failed({ reason: 'http-status (429)', isOfWholeNode: true, retryAfterMs: 60_000 });
  expect(shares(tracked)).toEqual([0, 1_000]);
  tracked.clock.ms = 59_999;
  expect(tracked.set.startTrial(kind)).toBeUndefined();
  tracked.clock.ms = 60_000;
  expect(tracked.set.startTrial(kind)).toBe(tracked.nodes[0]);
  expect(shares(tracked, 'write')).toEqual([1_000, 0]);
});

it('does not restore a node for other calls after a successful head query', () => {
  const tracked = nodesOf(2);
  tracked.nodes[0]?.health.begin(kind).failed({ reason: 'timeout' });
  tracked.clock.ms += 1_500;
  tracked.nodes[0]?.health.begin('head').succeeded();
  expect(shares(tracked)).toEqual([0, 1_000]);
});

it('always has a node: lagging ones come after usable ones, and ejected ones last', () => {
  const tracked = nodesOf(3);
  const [first, second, third] = tracked.nodes;
  first?.health.begin(kind).failed({ reason: 'timeout' });
  second?.health.recordHead(1, 'lagging');
  expect(shares(tracked)).toEqual([0, 0, 1_000]);
  third?.health.begin(kind).failed({ reason: 'timeout' });
  expect(shares(tracked)).toEqual([0, 1_000, 0]);
  tracked.clock.ms += 10;
  second?.health.begin(kind).failed({ reason: 'timeout' });
  expect(shares(tracked)).toEqual([1_000, 0, 0]);
  expect(tracked.set.choose(kind, tracked.nodes)).toBeUndefined();
});

it('tries a node after its pause, once, and only while another responds', () => {
  const tracked = nodesOf(2);
  const [first, second] = tracked.nodes;
  first?.health.begin(kind).failed({ reason: 'timeout' });
  expect(tracked.set.startTrial(kind)).toBeUndefined();
  tracked.clock.ms = 1_000;
  expect([tracked.set.startTrial(kind), tracked.set.startTrial(kind)]).toEqual([first, undefined]);
  first?.health.begin(kind).failed({ reason: 'timeout' });
  tracked.clock.ms = 3_000;
  second?.health.begin(kind).failed({ reason: 'timeout' });
  expect(tracked.set.startTrial(kind)).toBeUndefined();
});

it.each(['lagging', 'ahead'] as const)('tries a node after its pause beside one that is %s', (position) => {
  const tracked = nodesOf(2);
  const [first, second] = tracked.nodes;
  second?.health.recordHead(1, position);
  first?.health.begin(kind).failed({ reason: 'http-status (503)' });
  expect([shares(tracked), tracked.set.startTrial(kind)]).toEqual([[0, 1_000], undefined]);
  tracked.clock.ms = 1_000;
  expect(tracked.set.startTrial(kind)).toBe(first);
  first?.health.begin(kind).succeeded();
  expect(shares(tracked)).toEqual([1_000, 0]);
});

it('has one trial at a time, which other calls to the node do not end', () => {
  const tracked = nodesOf(2);
  const [first] = tracked.nodes;
  const earlier = first?.health.begin(kind);
  tracked.clock.ms = 1;
  first?.health.begin(kind).failed({ reason: 'timeout' });
  tracked.clock.ms = 1_001;
  expect(tracked.set.startTrial(kind)).toBe(first);
  const trial = first?.health.begin(kind);
  earlier?.succeeded();
  first?.health.begin(kind).abandoned();
  expect(tracked.set.startTrial(kind)).toBeUndefined();
  trial?.ignored();
  expect(tracked.set.startTrial(kind)).toBe(first);
});

it('retries a node that was slow without waiting until it is the best choice', () => {
  const tracked = nodesOf(2);
  take(tracked, 0, 800);
  take(tracked, 1, 2);
  tracked.clock.ms += 4_000;
  expect(tracked.set.startTrial(kind)).toBeUndefined();
  tracked.clock.ms += 1_000;
  expect(tracked.set.startTrial('write')).toBeUndefined();
  expect(tracked.set.startTrial(kind)).toBe(tracked.nodes[0]);
  take(tracked, 0, 2);
  expect(tracked.nodes[0]?.health.latencyMs(kind)).toBe(tracked.nodes[1]?.health.latencyMs(kind));
});
