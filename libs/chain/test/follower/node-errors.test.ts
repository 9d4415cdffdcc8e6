import { Devnet, recentGenesisTime } from '@waggle/devnet';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { HiveNodesUnavailableError } from '../../src';
import { Recording } from './recording';

/** Blocks with operations: in the middle of a batch of ten, the first of one and the last of one. */
const positions = [45, 41, 50];

let devnet: Devnet;
let recording: Recording;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  // The head is recent by the clock, so that a node can lag.
  devnet = await Devnet.start({ unsigned: true, nodes: 2, genesisTime: recentGenesisTime(1, 90) });
  while (devnet.chain.head.number < 80) {
    const next = devnet.chain.head.number + 1;
    if (positions.includes(next)) devnet.createAccount(`account-${next}`);
    else devnet.produceBlock();
  }
  recording = await Recording.startIn(database, devnet);
});

afterEach(async () => {
  await recording.stop();
  await devnet.stop();
});

const lies = ['missing', 'wrong-previous', 'altered', 'no-virtual-operations', 'no-transactions'] as const;

/** In the short form each lie at one of the positions. */
const lieCells = lies.flatMap((kind, index) =>
  positions
    .filter((_position, position) => isLong || position === index % positions.length)
    .map((blockNumber) => ({ kind, blockNumber })),
);

test.each(lieCells)('another node is called if one lies ($kind, block $blockNumber)', async (lie) => {
  devnet.node.misbehave({ lies: [lie] });
  recording.follow({ batchBlocks: 10 });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

test.each(['altered', 'no-virtual-operations', 'no-transactions'] as const)(
  'a node that lies about every block (%s) is not trusted for being called first',
  async (kind) => {
    const numbers = Array.from({ length: devnet.chain.head.number }, (_none, index) => index + 1);
    devnet.node.misbehave({ lies: numbers.map((blockNumber) => ({ kind, blockNumber })) });
    recording.follow({ batchBlocks: 10 });
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
  },
);

test.each([
  ['responds with 503', { wrong: 503 as const }],
  ['responds with pages', { wrong: 'html' as const }],
  ['responds with half of the JSON', { wrong: 'truncated' as const }],
  ['responds to other requests', { wrong: 'wrong-id' as const }],
  ['is slow', { slowMs: 3_600_000 }],
  ['is behind', { behindBlocks: 30 }],
  ['has no virtual operations', { without: ['account_history_api'] }],
  ['rejects every call', { error: { code: -32000, message: 'Too many requests' } }],
])('another node is called if one %s', async (_what, faults) => {
  devnet.node.misbehave(faults);
  recording.follow({ batchBlocks: 10, nodes: { timeoutMs: 300, rpcErrorIsFailure: true } });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('a node that is slow with blocks and fast with its head does not slow the others down', async () => {
  devnet.node.misbehave({
    slowMs: 8_000,
    onlyMethods: ['block_api.get_block_range', 'account_history_api.enum_virtual_ops'],
  });
  const startedMs = performance.now();
  recording.follow({ batchBlocks: 5, nodes: { timeoutMs: 15_000 } });
  await recording.caughtUp();
  // The first of the ranges is hedged, and a comparison waits for it once, for 3 s; the others go to the node that is
  // fast.
  expect(performance.now() - startedMs).toBeLessThan(7_000);
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('a node that calls blocks beyond its head irreversible is ignored, and delays nothing', async () => {
  devnet.node.misbehave({ irreversibleAhead: 1_000 });
  const { follower } = recording.follow({ batchBlocks: 10 });
  await recording.caughtUp();
  devnet.produceBlocks(5);
  await recording.caughtUp();
  expect(follower.status()).toMatchObject({ error: undefined, irreversibleBlock: devnet.chain.lastIrreversible });
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('a lie about the last block of the chain is detected too', async () => {
  recording.follow();
  await recording.caughtUp();
  const number = devnet.chain.head.number + 1;
  for (const [index, kind] of lies.entries()) {
    const blockNumber = number + index;
    devnet.node.misbehave({ lies: [{ kind, blockNumber }] });
    devnet.createAccount(`account-${index}`);
    devnet.makeIrreversible();
    await recording.caughtUp();
  }
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('the follower waits while all nodes are unavailable, and continues when they are back', async () => {
  const { follower, events } = recording.follow({ batchBlocks: 10 });
  await recording.caughtUp();
  for (const node of devnet.nodes) await node.kill();
  devnet.produceBlocks(20);
  await until(() => follower.status().error !== undefined);
  expect(follower.status().role).toBe('leader');
  for (const node of devnet.nodes) await node.revive();
  await recording.caughtUp();
  await until(() => follower.status().error === undefined);
  expect(await recording.recorded()).toEqual(recording.expected());
  expect(events).toContainEqual({ name: 'onRetry', args: [expect.any(HiveNodesUnavailableError), false] });
});

test('smaller ranges are requested from nodes that are too slow for large ones', async () => {
  // A response with ten blocks is longer than this; with a few it is not.
  recording.follow({ batchBlocks: 50, nodes: { maxResponseBytes: 12_000 }, start: () => Promise.resolve(10) });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected(10));
});

describe('a response of all nodes', () => {
  function lieEverywhere(kind: (typeof lies)[number], blockNumber: number): void {
    for (const node of devnet.nodes) node.misbehave({ lies: [{ kind, blockNumber }] });
  }

  test.each(['missing', 'wrong-previous', 'altered', 'no-transactions'] as const)(
    'that cannot be true (%s) is not applied, and the follower continues when one node tells the truth',
    async (kind) => {
      lieEverywhere(kind, 45);
      const { follower, events } = recording.follow({ batchBlocks: 10 });
      await until(() => events.some(({ name, args }) => name === 'onRetry' && args[1] === true));
      await until(async () => (await recording.processedBlock()) === 44);
      expect(await recording.recorded()).toEqual(recording.expected(1, 44));
      await until(() => follower.status().error !== undefined);
      expect(follower.status().role).toBe('leader');
      devnet.node.behave();
      await recording.caughtUp();
      await until(() => follower.status().error === undefined);
      expect(await recording.recorded()).toEqual(recording.expected());
    },
  );

  test('without the virtual operations of a block is not applied until they exist', async () => {
    lieEverywhere('no-virtual-operations', 45);
    const { follower } = recording.follow({ batchBlocks: 10 });
    await until(
      () => follower.status().error?.message.includes('no irreversible virtual operations of block 45') ?? false,
    );
    expect(await recording.processedBlock()).toBeLessThan(45);
    for (const node of devnet.nodes) node.behave();
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('with the blocks of another chain is not applied', async () => {
    const first = recording.follow();
    await recording.caughtUp();
    await first.stop();
    const before = await recording.recorded();
    const other = await Devnet.start({ unsigned: true, genesisTime: 1_700_000_001 });
    other.produceBlocks(100);
    const running = recording.follow({ nodes: { urls: other.urls } });
    await until(() => running.follower.status().error?.message.includes('is not the one that is known') ?? false);
    await running.stop();
    await other.stop();
    expect(await recording.recorded()).toEqual(before);
  });
});

describe('after a restart with a lone node', () => {
  /** Follows half of the chain honestly, lets one node lie about the rest, and follows it with that node alone. */
  async function restart(kind: (typeof lies)[number]) {
    const first = recording.follow({ batchBlocks: 10, endBlock: 40 });
    await first.ended;
    const numbers = Array.from({ length: devnet.chain.head.number }, (_none, index) => index + 1);
    devnet.node.misbehave({ lies: numbers.map((blockNumber) => ({ kind, blockNumber })) });
    return recording.follow({ batchBlocks: 10, nodes: { urls: [devnet.node.url] } });
  }

  test.each([
    ['no-virtual-operations', 'no irreversible virtual operations of block 40'],
    ['no-transactions', 'block 41 has a Merkle root and no transactions'],
    ['altered', 'the id of block 40 is not the hash of its header'],
  ] as const)('its contradiction of the known chain (%s) is rejected', async (kind, reason) => {
    const { follower } = await restart(kind);
    await until(() => follower.status().error?.message.includes(reason) ?? false);
    expect(await recording.recorded()).toEqual(recording.expected(1, 40));
  });

  test('what one follower knows of the chain counts for another of the same database', async () => {
    await restart('no-virtual-operations');
    const { follower } = recording.follow({
      name: 'other',
      nodes: { urls: [devnet.node.url] },
      start: () => Promise.resolve(2),
    });
    await until(
      () => follower.status().error?.message.includes('no irreversible virtual operations of block 1') ?? false,
    );
  });
});
