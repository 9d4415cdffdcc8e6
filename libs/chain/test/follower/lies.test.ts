import { Devnet } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { z } from 'zod';
import { type BlockFollowerOptions, onOperation, OperationHandlers } from '../../src';
import { firstUntrue, type Lie, liesOf } from './lies';
import { record, Recording, type Running } from './recording';

/**
 * `LONG=true npx jest lies.test`: every lie, alone and beside an honest node, with both starts and all of these batch
 * sizes.
 */
const batchSizes = isLong ? [1, 10, 100] : [10];
/** Before a restart, a follower applies the blocks up to this one. */
const lastBefore = 30;
const lastBlock = 80;

/** The amount of a delegation as the indexers expect it. */
const vests = z.object({
  amount: z.string().regex(/^\d{1,19}$/),
  precision: z.literal(6),
  nai: z.literal('@@000000037'),
});
const withinBits = vests.refine(({ amount }) => BigInt(amount) < 2n ** 63n);
const handlers = new OperationHandlers<string[]>([
  onOperation('delegate_vesting_shares_operation', z.object({ vesting_shares: withinBits }), (amounts, value) => {
    amounts.push(value.vesting_shares.amount);
  }),
]);
const apply: BlockFollowerOptions['apply'] = async (client, blocks) => {
  const amounts: string[] = [];
  await handlers.handle(amounts, blocks);
  await record(client, blocks);
  // As a balance that the amounts would raise.
  await client.query('SELECT 1 + amount FROM unnest($1::bigint[]) AS amount', [amounts]);
};

/** Beyond `lastBlock`. */
const lastInvented = 200;

/** Delegations, accounts with their virtual operations, blocks with several transactions, and empty ones. */
function live(devnet: Devnet, leavesAt = Infinity, last = lastBlock): void {
  while (devnet.chain.head.number < last) {
    const number = devnet.chain.head.number + 1;
    const amount = (number % 2 === 0 ? 3_000 : 6_000) + (number < leavesAt ? 0 : 900);
    const value = { delegator: 'alice', delegatee: 'bob', vesting_shares: `${amount}.000000 VESTS` };
    if (number % 3 > 0) devnet.produceBlock();
    else {
      devnet.chain.include([['delegate_vesting_shares', value]], []);
      devnet.createAccount(`account-${number}`);
    }
  }
}

const options = { unsigned: true, reversibleBlocks: 6, delegationReturnSeconds: 9 };
let devnet: Devnet;
let others: readonly Devnet[];
let recording: Recording;
let lies: ReadonlyMap<string, Lie>;
/** What an index of the true chain has. */
let truth: readonly string[];

beforeAll(async () => {
  devnet = await Devnet.start({ ...options, nodes: 3 });
  const fork = await Devnet.start(options);
  const foreign = await Devnet.start({ ...options, genesisTime: 1_700_000_001 });
  const extended = await Devnet.start(options);
  others = [fork, foreign, extended];
  live(devnet);
  live(fork, firstUntrue);
  live(foreign);
  live(extended, lastBlock + 1, lastInvented);
  lies = new Map(
    liesOf({ fork: fork.url, foreign: foreign.url, extended: extended.url }).map((lie) => [lie.name, lie]),
  );
  recording = await Recording.start(devnet);
  await recording.follow({ apply, endBlock: devnet.chain.lastIrreversible }).ended;
  truth = await recording.rows();
});

afterAll(async () => {
  await recording.stop();
  await Promise.all([devnet, ...others].map((each) => each.stop()));
});

/**
 * Each of them takes a few tenths of a second. On a busy machine an honest node may respond to a comparison too late,
 * and then counts as absent for half a minute.
 */

afterEach(async () => {
  await recording.stopFollowers();
  for (const node of devnet.nodes) node.behave();
});

const isApplied = async (): Promise<boolean> => (await recording.processedBlock()) >= devnet.chain.lastIrreversible;

/** Expects that every applied block is on the true chain. */
async function expectTruth(): Promise<void> {
  const applied = await recording.rows();
  const last = parseInt(applied.at(-1) ?? '0', 10);
  expect(applied).toEqual(truth.filter((line) => parseInt(line, 10) <= last));
}

const starts = ['from the first block', 'after a restart'] as const;
const listedLies = liesOf({ foreign: '', fork: '', extended: '' });
/** In the short form each lie has one start alone; beside an honest node, it has the other start. */
const cellsOf = (listed: readonly Lie[], shift: number) =>
  batchSizes.flatMap((batchBlocks) =>
    starts.flatMap((start, turn) =>
      listed
        .filter((_lie, index) => isLong || (index + shift) % 2 === turn)
        .map(({ name }) => ({ name, start, batchBlocks })),
    ),
  );
/** In the short form every lie that cannot be detected in a node alone, and every third of the others. */
const besides = cellsOf(listedLies, 0).filter(
  ({ name, start }, index) => isLong || isUnknowable(name, start) || index % 3 === 0,
);
/** In the short form every lie that cannot be detected in a node alone, and every fifth of the others. */
const besideTwo = cellsOf(listedLies, 1).filter(
  ({ name, start }, index) => isLong || isUnknowable(name, start) || index % 5 === 0,
);
const alone = cellsOf(listedLies, 1).filter(({ name, start }) => !isUnknowable(name, start));

/** Whether one node alone cannot be caught. */
function isUnknowable(name: string, start: (typeof starts)[number]): boolean {
  const { alone: lone = 'caught' } = listedLies.find((lie) => lie.name === name) ?? {};
  return typeof lone !== 'string' && (start === 'from the first block' || !lone.isCaughtLater);
}

/** Starts as in the cell, and then follows these nodes; the first one lies. */
async function follow({ start, name, batchBlocks }: (typeof besides)[number], urls: readonly string[]) {
  const lie = lies.get(name);
  if (lie === undefined) throw new RangeError(`there is no lie ${name}`);
  await recording.reset();
  devnet.node.behave();
  if (start === 'after a restart') await recording.follow({ apply, batchBlocks, endBlock: lastBefore }).ended;
  devnet.node.misbehave({ distort: lie.distort });
  return { lie, ...recording.follow({ apply, batchBlocks, nodes: { urls } }) };
}

/** Lets the node behave again, and expects the follower to recover. */
async function heal({ follower, ...running }: Running): Promise<void> {
  devnet.node.behave();
  await until(isApplied);
  await until(() => follower.status().error === undefined);
  await running.stop();
  expect(await recording.rows()).toEqual(truth);
}

describe('a lone node that returns', () => {
  test.each(alone)('$name, $start, $batchBlocks blocks at once', async (cell) => {
    const { lie, ...running } = await follow(cell, [devnet.node.url]);
    const { follower } = running;
    const isCaught = () => follower.status().error !== undefined;
    const isWaiting = () =>
      (follower.status().processedBlock ?? 0) >= (follower.status().irreversibleBlock ?? Infinity);
    const isHarmless = async () => lie.alone === 'harmless' && (isWaiting() || (await isApplied()));
    await until(async () => isCaught() || (await isHarmless()));
    await expectTruth();
    await heal(running);
  });
});

describe('beside an honest node, one that returns', () => {
  test.each(besides)('$name, $start, $batchBlocks blocks at once', async (cell) => {
    const { lie, ...running } = await follow(cell, devnet.urls.slice(0, 2));
    if (lie.isUndecided === true && isUnknowable(cell.name, cell.start))
      await until(() => running.follower.status().error !== undefined);
    else await until(isApplied);
    await expectTruth();
    await heal(running);
  });
});

describe('beside two honest nodes, one that returns', () => {
  test.each(besideTwo)('$name, $start, $batchBlocks blocks at once', async (cell) => {
    const running = await follow(cell, devnet.urls);
    await until(isApplied);
    await expectTruth();
    expect(running.follower.status().error).toBeUndefined();
    await running.stop();
  });
});

describe.each([300, 600])('beside an honest node whose blocks take %d ms', (slowMs) => {
  const cell = { name: 'the blocks of a fork', start: 'after a restart', batchBlocks: 10 } as const;
  const onlyMethods = ['block_api.get_block_range', 'account_history_api.enum_virtual_ops'];

  test('nothing of a fork is applied', async () => {
    for (const node of devnet.nodes.slice(1)) node.misbehave({ slowMs, onlyMethods });
    const before = recording.notCompared;
    const running = await follow(cell, devnet.urls.slice(0, 2));
    await until(() => running.follower.status().error !== undefined);
    await expectTruth();
    expect(await recording.processedBlock()).toBeLessThan(firstUntrue);
    expect(recording.notCompared).toBe(before);
    await heal(running);
  });
});

test('ranges that are applied while the other node is unavailable are counted', async () => {
  await recording.reset();
  const before = recording.notCompared;
  const [first = ''] = devnet.urls;
  const { follower } = recording.follow({ apply, batchBlocks: 10, nodes: { urls: [first, 'http://127.0.0.1:1'] } });
  await until(isApplied);
  await until(() => follower.status().processedBlock === devnet.chain.lastIrreversible);
  // 74 blocks make eight ranges.
  expect(recording.notCompared - before).toBeGreaterThanOrEqual(8);
});
