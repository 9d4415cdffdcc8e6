import { Devnet, devnetKeys } from '@waggle/devnet';
import { findAccounts, getBlockRange, getDynamicGlobalProperties, HiveClient, HiveRpcError } from '../src';

let devnet: Devnet;
let client: HiveClient;

beforeAll(async () => {
  devnet = await Devnet.start({ nodes: 2 });
  client = new HiveClient({ urls: devnet.urls });
});

afterEach(async () => {
  for (const node of devnet.nodes) {
    node.behave();
    await node.revive();
  }
});

afterAll(async () => {
  await client.close();
  await devnet.stop();
});

test('returns the head of the chain', async () => {
  const { head, lastIrreversible } = devnet.chain;
  expect(await getDynamicGlobalProperties(client)).toEqual({
    headBlockNumber: head.number,
    headBlockId: head.id,
    time: new Date(`${head.timestamp}Z`),
    lastIrreversibleBlockNumber: lastIrreversible,
  });
});

test('returns the accounts that exist', async () => {
  const accounts = await findAccounts(client, ['alice', 'nobody-here', 'bob']);
  expect(accounts.map(({ name }) => name)).toEqual(['alice', 'bob']);
  const { owner, active, posting } = devnetKeys('alice');
  const authorityOf = (key: string) => ({ weight_threshold: 1, account_auths: [], key_auths: [[key, 1]] });
  expect(accounts[0]).toEqual({
    name: 'alice',
    owner: authorityOf(owner.publicKey),
    active: authorityOf(active.publicKey),
    posting: authorityOf(posting.publicKey),
  });
});

test('a JSON-RPC error is attributed to the call, not to the node', async () => {
  const tooMany = Array.from({ length: 1_001 }, () => 'alice');
  await expect(findAccounts(client, tooMany)).rejects.toBeInstanceOf(HiveRpcError);
  expect(client.status().map(({ state }) => state)).toEqual(['usable', 'usable']);
});

test('returns a range of linked blocks', async () => {
  const { head } = devnet.chain;
  const blocks = await getBlockRange(client, 1, 100);
  expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: head.number }, (_, index) => index + 1));
  expect(blocks.at(-1)).toMatchObject({
    id: head.id,
    timestamp: new Date(`${head.timestamp}Z`),
    witness: head.witness,
  });
  blocks.slice(1).forEach((block, index) => {
    expect(block.previous).toBe(blocks[index]?.id);
  });
  const [first] = blocks;
  expect(first?.transactions).toHaveLength(1);
  expect(first?.transactions[0]?.id).toMatch(/^[0-9a-f]{40}$/);
  expect(first?.transactions[0]?.operations[0]).toMatchObject({
    type: 'account_create_operation',
    value: { new_account_name: 'alice' },
  });
});

test('a range beyond the head is empty', async () => {
  expect(await getBlockRange(client, 1_000_000, 10)).toEqual([]);
});

test('a dead node costs one attempt, and is used again after it recovers', async () => {
  const own = new HiveClient({ urls: devnet.urls, firstPauseMs: 1 });
  try {
    await devnet.node.kill();
    expect((await getDynamicGlobalProperties(own)).headBlockNumber).toBe(devnet.chain.head.number);
    await devnet.node.revive();
    while (own.status().some(({ state, headBlock }) => state !== 'usable' || headBlock === undefined))
      await own.probe();
  } finally {
    await own.close();
  }
});

test('a node that is behind is not called', async () => {
  const own = new HiveClient({ urls: devnet.urls, maxLagBlocks: 2 });
  try {
    devnet.produceBlocks(5);
    devnet.node.misbehave({ behindBlocks: 3 });
    await own.probe();
    expect((await getDynamicGlobalProperties(own)).headBlockNumber).toBe(devnet.chain.head.number);
    expect(own.status()).toMatchObject([{ state: 'usable' }, { state: 'lagging' }]);
  } finally {
    await own.close();
  }
});
