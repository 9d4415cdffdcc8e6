import { until } from '@waggle/testing';
import { Backend } from '../../src/upstream/backend';
import { ChainHead } from '../../src/upstream/chain-head';
import { HeadWatch } from '../../src/upstream/head-watch';
import { headOf, reset, ScriptedNode } from '../support/scripted-node';

const settings = {
  name: 'hive',
  connections: 4,
  maxQueued: 4,
  hedgePercent: 0,
  sharesCursors: false,
  reportsHead: true,
  maxResponseBytes: 1_000_000,
};

let nodes: ScriptedNode[];
let backend: Backend;
let head: ChainHead;
let watch: HeadWatch;

beforeEach(async () => {
  nodes = await Promise.all([ScriptedNode.start(), ScriptedNode.start()]);
  backend = new Backend({ ...settings, urls: nodes.map(({ url }) => url) });
  head = new ChainHead();
  watch = new HeadWatch([backend], head);
});
afterEach(async () => {
  watch.stop();
  await backend.pool.close();
  await Promise.all(nodes.map((node) => node.stop()));
});

/** Each state of the nodes in order. */
const states = () => backend.nodes.map(({ health }) => health.state);

it.each([
  ['in the future', () => headOf(100_000, 99_980)],
  ['that the chain cannot have reached yet', () => headOf(100_000, 99_980, Date.now())],
])('with an honest node, one that claims a head %s raises no head and gets no reads', async (_what, claim) => {
  const [liar, honest] = nodes;
  if (liar === undefined || honest === undefined) throw new Error('there is no node');
  liar.headScript = claim;
  await watch.start();
  expect(states()).toEqual(['ahead', 'usable']);
  honest.head += 1;
  await until(() => head.block === honest.head);
  expect(head.irreversibleBlock).toBe(honest.irreversible);
  for (let call = 0; call < 100; call += 1) expect(backend.pool.choose('read bridge')).toBe(backend.nodes[1]);
  liar.headScript = undefined;
  await until(() => states()[0] === 'usable');
});

it('a false head of the only responding node is corrected when others respond', async () => {
  const [liar, honest] = nodes;
  if (liar === undefined || honest === undefined) throw new Error('there is no node');
  honest.headScript = () => new Promise(() => undefined);
  liar.headScript = () => headOf(100_000, 99_980);
  void watch.start();
  await until(() => head.block === 100_000);
  honest.headScript = undefined;
  await until(() => head.block === honest.head);
});

it('the head of a node is known as soon as it responds, while another one hangs', async () => {
  const [hanging, honest] = nodes;
  if (hanging === undefined || honest === undefined) throw new Error('there is no node');
  hanging.headScript = () => new Promise(() => undefined);
  const started = watch.start();
  // No poll follows the first one.
  watch.stop();
  let hasEnded = false;
  void started.then(() => (hasEnded = true));
  await until(() => head.block === honest.head);
  expect(hasEnded).toBe(false);
});

it('a stuck node is lagging and does not lower the head while the other fails', async () => {
  const [stuck, honest] = nodes;
  if (stuck === undefined || honest === undefined) throw new Error('there is no node');
  const known = honest.head;
  let polls = 0;
  stuck.headScript = () => {
    polls += 1;
    return headOf(known - 900, known - 920);
  };
  await watch.start();
  expect([states(), head.block]).toEqual([['lagging', 'usable'], known]);
  honest.headScript = () => reset;
  await until(() => states()[1] === 'ejected');
  const before = polls;
  await until(() => polls > before + 2);
  expect([states(), head.block]).toEqual([['lagging', 'ejected'], known]);
});
