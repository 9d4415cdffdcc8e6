import { type NodeChange, NodeHealth } from './node-health';
import { NodeSet } from './node-set';

const kind = 'read test_api';

function nodesOf(count: number) {
  const clock = { ms: 0 };
  const changes: NodeChange[] = [];
  const options = {
    pauses: { firstMs: 1_000, longestMs: 5_000 },
    now: () => clock.ms,
    onChange: (change: NodeChange) => void changes.push(change),
  };
  const nodes = Array.from({ length: count }, (_, index) => ({ health: new NodeHealth(`node-${index}`, options) }));
  return { nodes, set: new NodeSet(nodes), clock, changes };
}

type Judged = ReturnType<typeof nodesOf>;

/** Lets a call to the node take so long. */
function take({ nodes, clock }: Judged, index: number, ms: number): void {
  const call = nodes[index]?.health.begin(kind);
  clock.ms += ms;
  call?.succeeded();
}

/** How many of a thousand calls go to each node. */
function shares({ set, nodes }: Judged, of: typeof kind | 'write' = kind): number[] {
  const counts = nodes.map(() => 0);
  for (let call = 0; call < 1_000; call += 1) {
    const chosen = set.choose(of);
    if (chosen) counts[nodes.indexOf(chosen)] = (counts[nodes.indexOf(chosen)] ?? 0) + 1;
  }
  return counts;
}

it('prefers a fast node, and uses a slow one again when its latency is long ago', () => {
  const judged = nodesOf(2);
  take(judged, 0, 800);
  take(judged, 1, 2);
  expect(shares(judged)).toEqual([0, 1_000]);
  judged.clock.ms += 60_000;
  expect(shares(judged)).toEqual([1_000, 0]);
});

it('does not choose the slowest of several', () => {
  const judged = nodesOf(4);
  [20, 20, 900, 20].forEach((ms, index) => {
    take(judged, index, ms);
  });
  const [first, second, slow, fourth] = shares(judged);
  expect(slow).toBe(0);
  for (const count of [first, second, fourth]) expect(count).toBeGreaterThan(50);
});

it('takes a call that does not end for the latency that it has had so far', () => {
  const judged = nodesOf(2);
  judged.nodes[0]?.health.begin(kind);
  judged.nodes[1]?.health.begin(kind);
  judged.nodes[1]?.health.begin(kind).abandoned();
  judged.clock.ms += 300;
  judged.nodes[1]?.health.begin(kind).ignored();
  take(judged, 1, 0);
  expect(judged.nodes[0]?.health.latencyMs(kind)).toBe(300);
});

it('chooses the node with fewer running calls of equally fast ones', () => {
  const judged = nodesOf(2);
  judged.nodes[0]?.health.begin(kind);
  expect(shares(judged)).toEqual([0, 1_000]);
});

it('ejects a node for the calls that it fails alone', () => {
  const judged = nodesOf(2);
  judged.nodes[0]?.health.begin('write').failed({ reason: 'timeout' });
  expect([shares(judged), shares(judged, 'write')]).toEqual([
    [1_000, 0],
    [0, 1_000],
  ]);
  expect(judged.changes).toEqual([{ node: 'node-0', change: 'ejected', kinds: ['write'], reason: 'timeout' }]);
});

it('ejects a node for all calls where it cannot be reached', () => {
  const judged = nodesOf(2);
  judged.nodes[0]?.health.begin('write').succeeded();
  judged.nodes[0]?.health.begin(kind).failed({ reason: 'unreachable', isOfWholeNode: true });
  expect([shares(judged), shares(judged, 'write')]).toEqual([
    [0, 1_000],
    [0, 1_000],
  ]);
  expect(judged.changes).toHaveLength(1);
});

it('does not restore calls by an answer to the head query', () => {
  const judged = nodesOf(2);
  judged.nodes[0]?.health.begin(kind).failed({ reason: 'timeout' });
  judged.clock.ms += 1_500;
  judged.nodes[0]?.health.begin('head').succeeded();
  expect(shares(judged)).toEqual([0, 1_000]);
});

it('always has a node: lagging ones come after usable ones, and ejected ones last', () => {
  const judged = nodesOf(3);
  const [first, second, third] = judged.nodes;
  first?.health.begin(kind).failed({ reason: 'timeout' });
  second?.health.sawHead(1, 'lagging');
  expect(shares(judged)).toEqual([0, 0, 1_000]);
  third?.health.begin(kind).failed({ reason: 'timeout' });
  expect(shares(judged)).toEqual([0, 1_000, 0]);
  judged.clock.ms += 10;
  second?.health.begin(kind).failed({ reason: 'timeout' });
  expect(shares(judged)).toEqual([1_000, 0, 0]);
  expect(judged.set.choose(kind, judged.nodes)).toBeUndefined();
});

it('tries a node after its pause, once, and only while another is usable', () => {
  const judged = nodesOf(2);
  const [first, second] = judged.nodes;
  first?.health.begin(kind).failed({ reason: 'timeout' });
  expect(judged.set.startTrial(kind)).toBeUndefined();
  judged.clock.ms = 1_000;
  expect([judged.set.startTrial(kind), judged.set.startTrial(kind)]).toEqual([first, undefined]);
  first?.health.begin(kind).failed({ reason: 'timeout' });
  judged.clock.ms = 3_000;
  second?.health.begin(kind).failed({ reason: 'timeout' });
  expect(judged.set.startTrial(kind)).toBeUndefined();
});

it('tries a node that was slow again, without waiting until it is the best choice', () => {
  const judged = nodesOf(2);
  take(judged, 0, 800);
  take(judged, 1, 2);
  judged.clock.ms += 4_000;
  expect(judged.set.startTrial(kind)).toBeUndefined();
  judged.clock.ms += 1_000;
  expect(judged.set.startTrial('write')).toBeUndefined();
  expect(judged.set.startTrial(kind)).toBe(judged.nodes[0]);
  take(judged, 0, 2);
  expect(judged.nodes[0]?.health.latencyMs(kind)).toBe(judged.nodes[1]?.health.latencyMs(kind));
});
