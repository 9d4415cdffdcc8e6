import { setTimeout } from 'node:timers/promises';
import { Devnet, type SoftwareName } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { type NodeChange } from '../../src';
import { Recording } from './recording';

describe.each<[SoftwareName[]]>([
  [['hived']],
  [['haf']],
  [['hived-1.25']],
  [['haf', 'haf', 'haf']],
  [['haf', 'hived']],
  [['hived', 'haf', 'hived-1.25']],
])('on nodes of %j', (nodes) => {
  let devnet: Devnet;
  let recording: Recording;
  beforeEach(async () => {
    devnet = await Devnet.start({ nodes, unsigned: true, reversibleBlocks: 0 });
    recording = await Recording.start(devnet);
  });
  afterEach(async () => {
    await recording.stop();
    await devnet.stop();
  });

  test.each([
    ['as soon as it exists', { blocks: 20, intervalMs: 50, storageDelayMs: 0 }],
    ['when HAF has stored it', { blocks: 4, intervalMs: 500, storageDelayMs: 400 }],
  ])(
    'the last irreversible block is applied without errors %s',
    async (_when, { blocks, intervalMs, storageDelayMs }) => {
      for (const node of devnet.nodes) node.misbehave({ storageDelayMs });
      const changes: NodeChange[] = [];
      const { follower, events } = recording.follow({ nodes: { onNodeChange: (change) => changes.push(change) } });
      for (let block = 0; block < blocks; block++) {
        devnet.createAccount(`account-${block}`);
        await setTimeout(intervalMs);
      }
      await recording.caughtUp();
      expect(await recording.recorded()).toEqual(recording.expected());
      expect(events.filter(({ name }) => name === 'onRetry')).toEqual([]);
      expect(changes).toEqual([]);
      expect(follower.status().error).toBeUndefined();
    },
  );

  test('a block is not applied while a node may still undo it', async () => {
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
  });
});

describe('a node that omits a field', () => {
  const requiredFields = new Map([['account_created_operation', ['creator']]]);
  let devnet: Devnet;
  let recording: Recording;
  beforeEach(async () => {
    devnet = await Devnet.start({ nodes: 2, unsigned: true });
    recording = await Recording.start(devnet);
    devnet.node.misbehave({ distort: (_call, result) => withoutKey(result, 'creator') });
    devnet.createAccount('newcomer');
    devnet.makeIrreversible();
  });
  afterEach(async () => {
    await recording.stop();
    await devnet.stop();
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
