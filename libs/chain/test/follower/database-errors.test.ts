import { Devnet } from '@waggle/devnet';
import { createTestDatabase, startPostgres, type TestDatabase, until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { createCheckpoint } from '../../src';
import { beforeFirstBlock, CheckpointExistsError, CheckpointMovedError } from '../../src/follower/writing/checkpoint';
import { record, Recording } from './recording';

let devnet: Devnet;
let recording: Recording;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  devnet = await Devnet.start({ unsigned: true });
  for (let i = 0; i < 30; i++) {
    devnet.delegate('alice', 'bob', `${5000 + i * 1000}.000000 VESTS`);
    devnet.createAccount(`account-${i}`);
    devnet.produceBlocks(10);
  }
});

afterAll(async () => {
  await devnet.stop();
  await database.drop();
});

beforeEach(async () => {
  recording = await Recording.startIn(database, devnet);
});

afterEach(() => recording.stop());

/** Numbers from 0 to 1 that are the same in each run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Writes like `record`; sometimes its connection is ended before, between or after its statements. */
function sabotaged(seed: number): typeof record {
  const random = seededRandom(seed);
  return async (client, blocks) => {
    const sabotage = async (): Promise<void> => {
      if (random() < 0.1) await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    await sabotage();
    await record(client, blocks.slice(0, 1));
    await sabotage();
    await record(client, blocks.slice(1));
    await sabotage();
  };
}

test('a leader whose connection breaks at any statement skips and repeats no block', async () => {
  const { events } = recording.follow({ apply: sabotaged(1), batchBlocks: 5, firstPauseMs: 1 });
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
  // A tenth of the chances is about twenty times.
  expect(events.filter(({ name }) => name === 'onRetry').length).toBeGreaterThan(3);
});

test('several followers whose connections break at any time write each block once', async () => {
  const random = seededRandom(2);
  for (let i = 0; i < 3; i++) recording.follow({ apply: sabotaged(3 + i), batchBlocks: 5, lockIntervalMs: 5 });
  for (let i = 0; i < 25; i++) {
    await new Promise((resolve) => setTimeout(resolve, random() * 100));
    await recording.terminateFollowers();
  }
  await recording.caughtUp();
  expect(await recording.recorded()).toEqual(recording.expected());
});

// Starts dozens of followers.
longTest('a follower that is restarted repeatedly writes the same as one that never stopped', async () => {
  const random = seededRandom(9);
  // Longer from time to time, so that it gets to the end also on a slow machine.
  for (let maxMs = 100; (await recording.processedBlock()) < devnet.chain.lastIrreversible; maxMs *= 1.05) {
    const running = recording.follow({ batchBlocks: 5 });
    await new Promise((resolve) => setTimeout(resolve, random() * maxMs));
    await running.stop();
  }
  expect(await recording.recorded()).toEqual(recording.expected());
});

describe('of two followers', () => {
  test('one leads and the other stands by, with the progress of the leader in its status', async () => {
    const both = [recording.follow(), recording.follow()];
    await recording.caughtUp();
    const { lastIrreversible } = devnet.chain;
    await until(() => both.every(({ follower }) => follower.status().processedBlock === lastIrreversible));
    expect(both.map(({ follower }) => follower.status().role).sort()).toEqual(['leader', 'standby']);
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('the standby takes over at its next attempt to lock when the leader stops', async () => {
    const leader = recording.follow();
    await until(() => leader.follower.status().role === 'leader');
    const standby = recording.follow({ lockIntervalMs: 500, pollIntervalMs: 1_000 });
    await until(() => standby.follower.status().role === 'standby');
    await leader.stop();
    const sinceMs = performance.now();
    await until(() => standby.follower.status().role === 'leader');
    // It tries every half second; a server that gets no notice finds out in 25 s.
    expect(performance.now() - sinceMs).toBeLessThan(10_000);
    await recording.caughtUp();
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('the standby takes over when the leader hangs, which can no longer write', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const hanging = recording.follow({
      idleTimeoutMs: 300,
      batchBlocks: 5,
      apply: async (client, blocks) => {
        await record(client, blocks);
        begun += 1;
        if (begun === 3) await released;
      },
    });
    await until(() => begun === 3);
    const standby = recording.follow();
    await until(() => standby.follower.status().role === 'leader');
    await recording.caughtUp();
    release();
    await until(() => hanging.follower.status().role === 'standby');
    expect(await recording.recorded()).toEqual(recording.expected());
  });

  test('a follower of another name does not stand by', async () => {
    const one = recording.follow({ name: 'one', apply: () => Promise.resolve() });
    const other = recording.follow({ name: 'other', apply: () => Promise.resolve() });
    await until(() => [one, other].every(({ follower }) => follower.status().role === 'leader'));
  });
});

test('an idle leader keeps its connection', async () => {
  const { follower, events } = recording.follow({ idleTimeoutMs: 4_000 });
  await recording.caughtUp();
  // For longer than the server lets a connection be idle.
  const old = `
    SELECT FROM pg_stat_activity WHERE application_name LIKE 'waggle-follower%' AND datname = current_database()
    AND backend_start < clock_timestamp() - interval '5 seconds'`;
  await until(async () => (await recording.query(old)).rows.length > 0);
  expect(follower.status()).toMatchObject({ role: 'leader', error: undefined });
  expect(events.map(({ name }) => name)).not.toContain('onRetry');
});

test('a batch is not written if another process has moved the checkpoint', async () => {
  let isMoved = false;
  const { events } = recording.follow({
    batchBlocks: 5,
    apply: async (client, blocks) => {
      await record(client, blocks);
      if (isMoved || blocks[0]?.number !== 11) return;
      isMoved = true;
      // Ignores the lock.
      await client.query(`UPDATE chain_checkpoint SET block_number = 9 WHERE name = 'test'`);
    },
  });
  await recording.caughtUp();
  expect(events).toContainEqual({ name: 'onRetry', args: [expect.any(CheckpointMovedError), false] });
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('a follower that another process has started continues after its checkpoint', async () => {
  const { events } = recording.follow({
    start: async (client) => {
      // Ignores the lock.
      const properties = { idsAreHashes: false, hasProducerRewards: false };
      await createCheckpoint(client, 'test', { ...beforeFirstBlock, ...properties });
      return 1;
    },
  });
  await recording.caughtUp();
  expect(events).toContainEqual({ name: 'onRetry', args: [expect.any(CheckpointExistsError), false] });
  expect(await recording.recorded()).toEqual(recording.expected());
});

test('the follower waits while the database is unavailable', async () => {
  const server = await startPostgres({ dataDir: 'temporary' });
  try {
    const own = await Recording.startIn({ url: server.url() }, devnet);
    const running = own.follow({ batchBlocks: 5, apply: sabotaged(5) });
    await until(() => (running.follower.status().processedBlock ?? 0) > 20);
    await server.kill();
    await until(() => running.follower.status().role === 'waiting');
    expect(running.follower.status().error).toBeDefined();
    await server.start();
    await until(() => running.follower.status().error === undefined);
    await until(() => running.follower.status().processedBlock === devnet.chain.lastIrreversible);
    await running.stop();
    const again = await Recording.reopen(own);
    expect(await again.recorded()).toEqual(own.expected());
    await again.stop();
  } finally {
    await server.stop();
  }
});
