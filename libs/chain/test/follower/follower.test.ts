import { Devnet } from '@waggle/devnet';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { type FollowedBlock, type FollowedOperation, type NodeOutcome } from '../../src';
import { record, Recording } from './recording';

let devnet: Devnet;
let recording: Recording;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  devnet = await Devnet.start({ unsigned: true });
  recording = await Recording.startIn(database, devnet);
});

afterEach(async () => {
  await recording.stop();
  await devnet.stop();
});

function callsOf(method: string): number {
  return devnet.node.calls.get(method) ?? 0;
}

/** The blocks that `apply` gets. */
function collecting(): { blocks: FollowedBlock[]; apply: typeof record } {
  const blocks: FollowedBlock[] = [];
  const apply: typeof record = async (client, batch) => {
    await record(client, batch);
    blocks.push(...batch);
  };
  return { blocks, apply };
}

test('every irreversible block is applied with its real and virtual operations in order', async () => {
  devnet.delegate('alice', 'bob', '5000.000000 VESTS');
  devnet.createAccount('newcomer');
  devnet.hardforkHive('alice');
  devnet.produceBlocks(250);
  recording.follow();
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('an operation is passed on unchanged', async () => {
  const { transactions } = devnet.delegate('alice', 'bob', '5000.000000 VESTS');
  const { number } = devnet.createAccount('newcomer');
  devnet.hardforkHive('alice');
  devnet.produceBlock();
  const { blocks, apply } = collecting();
  recording.follow({ apply });
  await recording.caughtUp();
  const operationsOf = (block: number): readonly FollowedOperation[] => blocks[block - 1]?.operations ?? [];
  const vests = (amount: string) => ({ amount, precision: 6, nai: '@@000000037' });
  expect(operationsOf(number - 1)).toEqual([
    {
      index: 0,
      transactionId: transactions[0]?.id,
      isVirtual: false,
      type: 'delegate_vesting_shares_operation',
      value: { delegator: 'alice', delegatee: 'bob', vesting_shares: vests('5000000000') },
    },
  ]);
  const transactionId = devnet.chain.findBlock(number)?.transactions[0]?.id;
  expect(operationsOf(number)).toMatchObject([
    { index: 0, transactionId, type: 'account_create_operation' },
    { index: 1, transactionId, isVirtual: true, type: 'account_created_operation', value: { creator: 'initminer' } },
  ]);
  expect(operationsOf(number + 1)).toMatchObject([
    {
      index: 0,
      transactionId: undefined,
      isVirtual: true,
      value: { account: 'alice', other_affected_accounts: ['bob'] },
    },
  ]);
});

test('unwanted operations are omitted, and the others keep their positions', async () => {
  const transfer = ['transfer', { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: '' }] as const;
  const delegation = { delegator: 'alice', delegatee: 'bob', vesting_shares: '5000.000000 VESTS' };
  devnet.include([[...transfer], ['delegate_vesting_shares', delegation]], []);
  devnet.produceBlock();
  const { blocks, apply } = collecting();
  recording.follow({ apply, operationTypes: ['delegate_vesting_shares_operation'] });
  await recording.caughtUp();
  const real = blocks.flatMap(({ operations }) => operations).filter(({ isVirtual }) => !isVirtual);
  expect(real).toMatchObject([{ index: 1, type: 'delegate_vesting_shares_operation' }]);
});

test('each block has its time and that of the previous block, even after a pause of chain or follower', async () => {
  devnet.chain.produceBlock(10);
  devnet.produceBlocks(3);
  const { blocks, apply } = collecting();
  const first = recording.follow({ apply, batchBlocks: 2 });
  await recording.caughtUp();
  await first.stop();
  devnet.produceBlocks(3);
  recording.follow({ apply, batchBlocks: 2 });
  await recording.caughtUp();
  const timeOf = (number: number) => new Date(`${devnet.chain.findBlock(number)?.timestamp ?? ''}Z`);
  expect(blocks.map(({ timestamp }) => timestamp)).toEqual(blocks.map(({ number }) => timeOf(number)));
  expect(blocks.slice(1).map(({ previousTimestamp }) => previousTimestamp)).toEqual(
    blocks.slice(1).map(({ number }) => timeOf(number - 1)),
  );
});

test('without virtual operations their API is not called', async () => {
  devnet.node.misbehave({ without: ['account_history_api'] });
  recording.follow({ virtualOperations: [] });
  await recording.caughtUp();
  expect(callsOf('account_history_api.enum_virtual_ops')).toBe(0);
});

describe('the first block', () => {
  test('is chosen by the service, once', async () => {
    devnet.produceBlocks(20);
    const start = jest.fn(() => Promise.resolve(10));
    const first = recording.follow({ start });
    await recording.caughtUp();
    await first.stop();
    devnet.produceBlock();
    recording.follow({ start });
    await recording.caughtUp();
    expect(start).toHaveBeenCalledTimes(1);
    expect(await recording.recorded()).toEqual(recording.expected(10));
  });

  test('may be a block that is not irreversible yet', async () => {
    const first = devnet.chain.head.number + 2;
    const start = jest.fn(() => Promise.resolve(first));
    recording.follow({ start });
    await until(() => start.mock.calls.length > 0);
    expect(await recording.processedBlock()).toBe(0);
    devnet.produceBlocks(4);
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected(first));
  });

  test('is requested again if the service could not choose it', async () => {
    let calls = 0;
    recording.follow({
      start: async (client) => {
        calls += 1;
        if (calls === 1) await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return 1;
      },
    });
    await recording.caughtUp();
    expect(calls).toBe(2);
  });
});

describe('a bounded range', () => {
  test('ends at its last block, and does nothing when it is run again', async () => {
    devnet.produceBlocks(30);
    const range = { start: () => Promise.resolve(5), endBlock: 25, batchBlocks: 10 };
    await recording.follow(range).ended;
    expect(await recording.recorded()).toEqual(recording.expected(5, 25));
    const again = recording.follow(range);
    await again.ended;
    expect(again.follower.status()).toMatchObject({ role: 'ended', processedBlock: 25 });
  });

  test('continues after an interruption, independently of a follower with another name', async () => {
    devnet.produceBlocks(60);
    recording.follow({ name: 'live', start: () => Promise.resolve(41) });
    const past = { name: 'past', start: () => Promise.resolve(1), endBlock: 40, batchBlocks: 5 };
    const first = recording.follow(past);
    await until(async () => (await recording.processedBlock('past')) > 0);
    await first.stop();
    expect(first.follower.status().processedBlock).toBe(await recording.processedBlock('past'));
    await recording.follow(past).ended;
    await until(async () => (await recording.processedBlock('live')) >= devnet.chain.lastIrreversible);
    expect(await recording.recorded()).toEqual(recording.expected());
  });
});

describe('at the end of the chain', () => {
  test('a block is applied within two seconds after it becomes irreversible', async () => {
    recording.follow({ pollIntervalMs: 1_000 });
    await recording.caughtUp();
    const tookMs: number[] = [];
    for (let i = 0; i < 3; i++) {
      devnet.delegate('alice', 'bob', `${5000 + i * 1000}.000000 VESTS`);
      devnet.makeIrreversible();
      const sinceMs = performance.now();
      await recording.caughtUp();
      tookMs.push(performance.now() - sinceMs);
    }
    // The fastest one, since a busy machine may delay some.
    expect(Math.min(...tookMs)).toBeLessThan(2_000);
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('reversible blocks are not applied, and undone ones never', async () => {
    recording.follow();
    await recording.caughtUp();
    devnet.chain.holdIrreversible();
    devnet.delegate('alice', 'bob', '5000.000000 VESTS');
    devnet.produceBlocks(3);
    const polled = callsOf('database_api.get_dynamic_global_properties');
    await until(() => callsOf('database_api.get_dynamic_global_properties') > polled + 3);
    expect(await recording.processedBlock()).toBe(devnet.chain.lastIrreversible);
    devnet.chain.undoBlocks(4);
    devnet.delegate('carol', 'dave', '5000.000000 VESTS');
    devnet.chain.produceBlock(2);
    devnet.makeIrreversible();
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('only the head is polled, at the configured interval', async () => {
    const askedAtMs: number[] = [];
    const onOutcome = ({ ms }: NodeOutcome) => askedAtMs.push(performance.now() - ms);
    recording.follow({ pollIntervalMs: 40, nodes: { onOutcome } });
    await recording.caughtUp();
    const ranges = callsOf('block_api.get_block_range');
    askedAtMs.length = 0;
    await until(() => askedAtMs.length > 5);
    const pausesMs = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0));
    // The median, since a busy machine notices some responses late, which makes the next pause look shorter.
    const [medianMs] = pausesMs.toSorted((a, b) => a - b).slice(pausesMs.length / 2);
    // A timer may fire a moment before its time.
    expect(medianMs).toBeGreaterThan(35);
    expect(callsOf('block_api.get_block_range')).toBe(ranges);
  });
});

describe('reading ahead', () => {
  test('continues while a batch is written, up to a limit', async () => {
    devnet.produceBlocks(100);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = true;
    recording.follow({
      batchBlocks: 5,
      readAheadBatches: 3,
      apply: async (client, blocks) => {
        if (isHeld) await released;
        await record(client, blocks);
      },
    });
    // The head was verified. One batch is being written, three wait, one more range is to be confirmed, and one was
    // fetched.
    await until(() => callsOf('block_api.get_block_range') === 7);
    const virtual = () => callsOf('account_history_api.enum_virtual_ops');
    await until(() => virtual() === 4);
    // Without a limit, the other batches would arrive in the same time.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([callsOf('block_api.get_block_range'), virtual()]).toEqual([7, 4]);
    isHeld = false;
    release();
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
  });
});

describe('limitBatch', () => {
  test('ends a batch after the blocks that it allows, and the rest follow', async () => {
    devnet.produceBlocks(40);
    const ends: (number | undefined)[] = [];
    recording.follow({
      batchBlocks: 10,
      limitBatch: (_client, blocks) => {
        const allowed = blocks.filter(({ number }) => number <= 13).length;
        return Promise.resolve(allowed > 0 ? allowed : blocks.length);
      },
      apply: async (client, blocks) => {
        ends.push(blocks.at(-1)?.number);
        await record(client, blocks);
      },
    });
    await recording.caughtUp();
    expect(ends.slice(0, 3)).toEqual([10, 13, 20]);
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('writes nothing while it allows no block, and sees the state before the batch', async () => {
    devnet.produceBlocks(40);
    let isHeld = true;
    let calls = 0;
    const pairs: string[] = [];
    recording.follow({
      batchBlocks: 10,
      limitBatch: async (client, blocks) => {
        calls += 1;
        if (isHeld) return 0;
        const { rows } = await client.query('SELECT coalesce(max(number), 0) + 1 AS next FROM applied_block');
        pairs.push(`${JSON.stringify(rows)} ${blocks[0]?.number}`);
        return blocks.length;
      },
    });
    await until(() => calls > 2);
    expect((await recording.recorded()).blocks).toEqual([]);
    expect(await recording.processedBlock()).toBe(0);
    isHeld = false;
    await recording.caughtUp();
    expect(pairs.slice(0, 2)).toEqual(['[{"next":"1"}] 1', '[{"next":"11"}] 11']);
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('does not delay an abort while it allows no block', async () => {
    devnet.produceBlocks(40);
    let calls = 0;
    const running = recording.follow({
      limitBatch: () => {
        calls += 1;
        return Promise.resolve(0);
      },
    });
    await until(() => calls > 1);
    await running.stop();
    expect((await recording.recorded()).blocks).toEqual([]);
  });
});

describe('an abort', () => {
  test('commits the running batch and starts no other', async () => {
    devnet.produceBlocks(100);
    let applied = 0;
    const running = recording.follow({
      batchBlocks: 5,
      apply: async (client, blocks) => {
        await record(client, blocks);
        applied += 1;
        if (applied === 3) void running.stop();
      },
    });
    await running.ended;
    expect(await recording.processedBlock()).toBe(15);
    expect(await recording.recorded()).toEqual(recording.expected(1, 15));
    expect(running.follower.status()).toMatchObject({ role: 'ended', processedBlock: 15 });
  });

  test.each(['at its start', 'while it follows'])('does not wait for a silent node %s', async (moment) => {
    if (moment === 'while it follows') {
      const first = recording.follow();
      await recording.caughtUp();
      await first.stop();
    }
    const call = jest.fn(() => new Promise<never>(() => undefined));
    const running = recording.follow({
      api: {
        call,
        callWithNode: call,
        callWorkingNodes: call,
        nodeCount: 1,
        recordContradiction: () => undefined,
        recordMismatch: () => undefined,
      },
    });
    await until(() => call.mock.calls.length > 0);
    await running.stop();
  });

  test('before the start leaves no trace', async () => {
    const running = recording.follow();
    await running.stop();
    expect((await recording.recorded()).blocks.length).toBeLessThanOrEqual(devnet.chain.lastIrreversible);
  });

  test('leaves no open connection', async () => {
    const running = recording.follow();
    await recording.caughtUp();
    await running.stop();
    const sql = `SELECT FROM pg_stat_activity WHERE application_name LIKE 'waggle-follower%' AND datname = current_database()`;
    await until(async () => (await recording.query(sql)).rows.length === 0);
  });
});

test('a leader without new blocks for minutes reports an error', async () => {
  const first = recording.follow();
  await recording.caughtUp();
  await first.stop();
  await recording.query(`UPDATE chain_checkpoint SET applied_at = now() - interval '121 s'`);
  const { follower } = recording.follow();
  await until(() => follower.status().error?.message.startsWith('No block after') ?? false);
  devnet.produceBlock();
  await until(() => follower.status().error === undefined);
});

test('status and observer report the progress', async () => {
  devnet.produceBlocks(10);
  const { follower, events } = recording.follow();
  expect(follower.status()).toMatchObject({ role: 'waiting', processedBlock: undefined });
  await recording.caughtUp();
  const { head, lastIrreversible } = devnet.chain;
  await until(() => follower.status().processedBlock === lastIrreversible);
  const time = new Date(`${devnet.chain.findBlock(lastIrreversible)?.timestamp ?? ''}Z`);
  expect(follower.status()).toEqual({
    role: 'leader',
    headBlock: head.number,
    irreversibleBlock: lastIrreversible,
    processedBlock: lastIrreversible,
    processedBlockTime: time,
    processedAt: expect.any(Date) as unknown,
    blocksPerSecond: expect.any(Number),
    isContradicted: false,
    error: undefined,
  });
  const applied = events.map(({ name, args: [count] }) => (name === 'onApplied' ? Number(count) : 0));
  expect(applied.reduce((sum, count) => sum + count)).toBe(lastIrreversible);
  expect(events[0]).toEqual({ name: 'onRole', args: ['leader'] });
});
