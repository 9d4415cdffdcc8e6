import { Devnet } from '@waggle/devnet';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { z } from 'zod';
import { onOperation, OperationHandlers } from '../../src';
import { record, Recording } from './recording';

let devnet: Devnet;
let recording: Recording;
let database: TestDatabase;
/** The block with the operation that cannot be decoded. */
let bad: number;

beforeAll(async () => {
  database = await createTestDatabase();
  devnet = await Devnet.start({ unsigned: true, nodes: 2 });
  devnet.produceBlocks(20);
  const transfer = ['transfer', { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: '' }] as const;
  const follow = { required_auths: [], required_posting_auths: ['alice'], id: 'follow', json: '[]' };
  bad = devnet.include([[...transfer], ['custom_json', follow]], []).number;
  devnet.produceBlocks(20);
});

afterAll(async () => {
  await devnet.stop();
  await database.drop();
});

beforeEach(async () => {
  recording = await Recording.startIn(database, devnet);
});

afterEach(() => recording.stop());

test('an operation that no node returns decodably blocks the follower and is reported to the observer', async () => {
  const handlers = new OperationHandlers<undefined>([
    onOperation('custom_json_operation', z.object({ id: z.number() }), () => undefined),
  ]);
  const { follower, events } = recording.follow({
    apply: async (client, blocks) => {
      await record(client, blocks);
      await handlers.handle(undefined, blocks);
    },
  });
  const block = devnet.chain.findBlock(bad);
  const position = {
    block: { number: bad, id: block?.id },
    operation: { index: 1, type: 'custom_json_operation', transactionId: block?.transactions[0]?.id, isVirtual: false },
  };
  await until(() => follower.status().error?.name === 'OperationFormatError');
  expect(await recording.recorded()).toEqual(recording.expected(1, bad - 1));
  expect(follower.status()).toMatchObject({ role: 'leader', processedBlock: bad - 1 });
  expect(follower.status().error?.message).toContain(
    `operation 1 (custom_json_operation) of block ${bad} in a format that the handler cannot decode`,
  );
  expect(events).toContainEqual({ name: 'onUndecodable', args: [expect.objectContaining({ position })] });
});

test.each([1, 2])('the error names a block that the database rejects (returned by %d nodes)', async (nodeCount) => {
  const { ended } = recording.follow({
    nodes: { urls: devnet.urls.slice(0, nodeCount) },
    apply: async (client, blocks) => {
      await record(client, blocks);
      if (blocks.some(({ number }) => number === bad)) await client.query('SELECT 1 / 0');
    },
  });
  await expect(ended).rejects.toMatchObject({ position: { block: { number: bad } }, cause: { code: '22012' } });
  expect(await recording.recorded()).toEqual(recording.expected(1, bad - 1));
});

test('blocks that fail only together are applied one by one', async () => {
  recording.follow({
    apply: async (client, blocks) => {
      await record(client, blocks);
      if (blocks.length > 1) throw new Error('too many at once');
    },
  });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('a conflict with another transaction is retried', async () => {
  let tries = 0;
  recording.follow({
    apply: async (client, blocks) => {
      await record(client, blocks);
      tries += 1;
      if (tries <= 2) await client.query(`DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$`);
    },
  });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

test.each([
  ['that start fails', { start: () => Promise.reject(new Error('no idea')) }, 'no idea'],
  ['that there is no such block', { start: () => Promise.resolve(0) }, 'There is no block 0'],
])('reports %s', async (_what, options, message) => {
  await expect(recording.follow(options).ended).rejects.toMatchObject({
    name: 'FatalChainError',
    message: expect.stringContaining(message) as unknown,
  });
});

test('reports that the table is missing', async () => {
  await recording.query('DROP TABLE chain_checkpoint');
  await expect(recording.follow().ended).rejects.toMatchObject({ cause: { code: '42P01' } });
});

test.each([
  [{ virtualOperations: ['transfer'] }, 'transfer is not a virtual operation'],
  [{ batchBlocks: 0 }, 'batchBlocks'],
  [{ batchBlocks: 1_001 }, 'batchBlocks'],
  [{ readAheadBatches: 0 }, 'readAheadBatches'],
])('%j is rejected by the constructor', (options, message) => {
  expect(() => recording.follow(options)).toThrow(message);
});
