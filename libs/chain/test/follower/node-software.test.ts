import { setTimeout } from 'node:timers/promises';
import { Devnet, type SoftwareName } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { type NodeChange } from '../../src';
import { Recording } from './recording';

let devnet: Devnet;
let recording: Recording;

async function start(nodes: readonly SoftwareName[]): Promise<void> {
  devnet = await Devnet.start({ nodes, unsigned: true, reversibleBlocks: 0 });
  recording = await Recording.start(devnet);
}

afterEach(async () => {
  await recording.stop();
  await devnet.stop();
});

/** So fast that each poll finds a new last irreversible block. */
const atOnce = { blocks: 20, intervalMs: 50, storageDelayMs: 0 };
/** HAF is always some blocks behind hived. */
const delayed = { blocks: 10, intervalMs: 200, storageDelayMs: 700 };

const cells: [SoftwareName[], typeof atOnce][] = [
  [['haf'], delayed],
  [['haf', 'hived'], delayed],
  [['hived', 'haf', 'hived-1.25'], atOnce],
];
const furtherCells: typeof cells = [
  [['hived'], atOnce],
  [['haf'], atOnce],
  [['hived-1.25'], atOnce],
  [['haf', 'haf', 'haf'], atOnce],
  [['haf', 'haf', 'haf'], delayed],
];

test.each([...cells, ...(isLong ? furtherCells : [])])(
  'nodes of %j serve the last irreversible block without errors (%j)',
  async (nodes, moving) => {
    await start(nodes);
    for (const node of devnet.nodes)
      if (node.software === 'haf') node.misbehave({ storageDelayMs: moving.storageDelayMs });
    const changes: NodeChange[] = [];
    const { follower, events } = recording.follow({ nodes: { onNodeChange: (change) => changes.push(change) } });
    for (let block = 0; block < moving.blocks; block++) {
      devnet.createAccount(`account-${block}`);
      await setTimeout(moving.intervalMs);
    }
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
    expect(events.filter(({ name }) => name === 'onRetry')).toEqual([]);
    expect(changes).toEqual([]);
    expect(follower.status().error).toBeUndefined();
  },
);

test.each<SoftwareName>(['hived', 'haf'])(
  'a block is not applied while a node of %s may still undo it',
  async (software) => {
    await start([software]);
    const { events } = recording.follow();
    await recording.caughtUp();
    devnet.chain.holdIrreversible();
    const irreversible = devnet.chain.lastIrreversible;
    devnet.produceBlocks(3);
    // The heads that the nodes report are ahead of what they know to be irreversible.
    for (const node of devnet.nodes)
      node.misbehave({
        distort: ({ method }, result) =>
          method === 'database_api.get_dynamic_global_properties'
            ? { ...(result as object), last_irreversible_block_num: irreversible + 2 }
            : result,
      });
    await until(() => events.some(({ name }) => name === 'onRetry'));
    expect(await recording.processedBlock()).toBe(irreversible);
    devnet.chain.releaseIrreversible();
    devnet.makeIrreversible();
    for (const node of devnet.nodes) node.behave();
    await recording.caughtUp();
  },
);

test('a node without virtual operations of earlier blocks is ejected beside one that has them', async () => {
  await start(['hived', 'hived']);
  devnet.produceBlocks(200);
  const nothing = { ops: [], ops_by_block: [], next_block_range_begin: 0, next_operation_begin: 0 };
  devnet.node.misbehave({
    distort: ({ method }, result) => (method === 'account_history_api.enum_virtual_ops' ? nothing : result),
  });
  const changes: NodeChange[] = [];
  const onNodeChange = (change: NodeChange) => changes.push(change);
  const { events } = recording.follow({ batchBlocks: 10, nodes: { onNodeChange } });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
  expect(events.filter(({ name }) => name === 'onRetry')).toEqual([]);
  const reason = expect.stringContaining('no irreversible virtual operations') as unknown;
  expect(changes).toContainEqual(expect.objectContaining({ change: 'ejected', reason }));
});

describe('a node that omits a field', () => {
  const requiredFields = new Map([['account_created_operation', ['creator']]]);
  beforeEach(async () => {
    await start(['hived', 'hived']);
    devnet.node.misbehave({ distort: (_call, result) => withoutKey(result, 'creator') });
    devnet.createAccount('newcomer');
    devnet.makeIrreversible();
  });

  test('is not used beside one that has it', async () => {
    const { events } = recording.follow({ requiredFields });
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
    expect(events.filter(({ name }) => name === 'onRetry' || name === 'onUndecodable')).toEqual([]);
  });

  test('is named until another one responds', async () => {
    const { follower } = recording.follow({ requiredFields, nodes: { urls: [devnet.url] } });
    await until(() => follower.status().error?.message.includes('has no creator: an older version') ?? false);
    devnet.node.behave();
    await recording.caughtUp();
    await until(() => follower.status().error === undefined);
    expect(await recording.recorded()).toEqual(recording.expected());
  });
});

/** Removes a key at every depth. */
function withoutKey(value: unknown, removed: string): unknown {
  const text = JSON.stringify(value, (key, item: unknown) => (key === removed ? undefined : item));
  return JSON.parse(text);
}
