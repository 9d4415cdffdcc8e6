import { z } from 'zod';

/** A call of a node, as `Faults.distort` of the devnet gets it. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
}

/** What a node returns instead of the true result. */
export type Distort = (call: Call, result: unknown) => unknown;

/**
 * The effect of a lie on a follower without another node:
 * - `caught`: it applies nothing untrue, is not ready, and continues when the node tells the truth
 * - `harmless`: what it applies is true, but perhaps old
 * - a reason why one node alone cannot be caught; `isCaughtLater`: it can if the follower has a checkpoint
 */
type Alone = 'caught' | 'harmless' | { readonly unknowable: string; readonly isCaughtLater?: boolean };

export interface Lie {
  readonly name: string;
  readonly distort: Distort;
  /** Default `caught`. */
  readonly alone?: Alone;
  /** Whether only a contradiction between two nodes shows it, so that nothing is applied until it ends. */
  readonly isUndecided?: boolean;
}

const operation = z.looseObject({ type: z.string(), value: z.record(z.string(), z.unknown()) });
const block = z.looseObject({
  block_id: z.string(),
  previous: z.string(),
  timestamp: z.string(),
  witness: z.string(),
  transaction_merkle_root: z.string(),
  transaction_ids: z.array(z.string()),
  transactions: z.array(z.looseObject({ operations: z.array(operation) })),
});
const range = z.looseObject({ blocks: z.array(block) });
const virtual = z.looseObject({ block: z.unknown(), trx_id: z.string(), timestamp: z.string(), op: operation });
const virtualPage = z.looseObject({
  ops_by_block: z.array(z.looseObject({ block: z.number(), ops: z.array(virtual) })),
});
const head = z.looseObject({
  head_block_number: z.number(),
  head_block_id: z.string(),
  last_irreversible_block_num: z.number(),
});

type Block = z.infer<typeof block>;
type Virtual = z.infer<typeof virtual>;
type Head = z.infer<typeof head>;

const zeros = '0'.repeat(40);
const isAffected = (number: number): boolean => number >= firstUntrue;
const numberOf = ({ block_id: id }: Block): number => parseInt(id.slice(0, 8), 16);
const withNumber = (id: string, number: number): string => number.toString(16).padStart(8, '0') + id.slice(8);

/** The blocks before it are true: a restarted follower already applied some of them. */
export const firstUntrue = 45;

const onRange =
  (change: (blocks: Block[]) => unknown[]): Distort =>
  ({ method }, result) =>
    method === 'block_api.get_block_range' ? { blocks: change(range.parse(result).blocks) } : result;

/** Changes each block from the first untrue one on that passes the filter. */
const onBlocks = (change: (block: Block) => object, isOf: (block: Block) => boolean = () => true): Distort =>
  onRange((blocks) => blocks.map((each) => (isAffected(numberOf(each)) && isOf(each) ? change(each) : each)));

const hasTransactions = ({ transactions }: Block): boolean => transactions.length > 0;

const onVirtual =
  (change: (operations: Virtual[]) => unknown[]): Distort =>
  ({ method }, result) => {
    if (method !== 'account_history_api.enum_virtual_ops') return result;
    const page = virtualPage.parse(result);
    const groups = page.ops_by_block.filter(({ block: number }) => !isAffected(number));
    const affected = page.ops_by_block.filter(({ block: number }) => isAffected(number)).flatMap(({ ops }) => ops);
    const changed = { block: firstUntrue, irreversible: true, ops: change(affected) };
    return { ...page, ops_by_block: [...groups, changed] };
  };

const onHead =
  (change: (head: Head) => { head?: number; irreversible?: number }): Distort =>
  ({ method }, result) => {
    if (method !== 'database_api.get_dynamic_global_properties') return result;
    const properties = head.parse(result);
    const { head: number = properties.head_block_number, irreversible = properties.last_irreversible_block_num } =
      change(properties);
    return {
      ...properties,
      head_block_number: number,
      head_block_id: withNumber(properties.head_block_id, number),
      last_irreversible_block_num: irreversible,
    };
  };

/** Replaces the amounts of delegations. */
const onAmounts = (write: (amount: unknown) => unknown): Distort =>
  onBlocks(
    (each) => ({
      ...each,
      transactions: each.transactions.map(({ operations, ...rest }) => ({
        ...rest,
        operations: operations.map(({ type, value }) => ({
          type,
          value: 'vesting_shares' in value ? { ...value, vesting_shares: write(value['vesting_shares']) } : value,
        })),
      })),
    }),
    hasTransactions,
  );

/** A consistent block that links to another invented one. */
function inventedBlock(number: number) {
  return {
    block_id: withNumber('b'.repeat(40), number),
    previous: withNumber('b'.repeat(40), number - 1),
    timestamp: '2020-01-01T00:00:00',
    witness: 'mallory',
    transaction_merkle_root: zeros,
    extensions: [],
    witness_signature: '00',
    transactions: [],
    transaction_ids: [],
  };
}

/** Calls the node of another chain. */
const askOther =
  (url: string, methods: readonly string[]): Distort =>
  async (call, result) => {
    if (!methods.includes(call.method)) return result;
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: call.method, params: call.params }),
    });
    return z.object({ result: z.unknown() }).parse(await response.json()).result;
  };

const blockCount = ({ params }: Call): number => z.object({ count: z.number() }).safeParse(params).data?.count ?? 0;

/** Another chain, except that the last two blocks of a range are true; the first of them has a different header. */
const bridgedTo = (url: string): Distort => {
  const askBlocks = askOther(url, ['block_api.get_block_range']);
  const askVirtual = askOther(url, ['account_history_api.enum_virtual_ops']);
  return async (call, result) => {
    const { block_range_end: end } = z.object({ block_range_end: z.number() }).safeParse(call.params).data ?? {};
    if (end !== undefined) {
      const isBridged = ({ block: number }: { block: number }) => number < end - 2;
      const others = virtualPage.parse(await askVirtual(call, result)).ops_by_block.filter(isBridged);
      const page = virtualPage.parse(result);
      return { ...page, ops_by_block: [...others, ...page.ops_by_block.filter((each) => !isBridged(each))] };
    }
    const [bridge, last] = range.safeParse(result).data?.blocks.slice(-2) ?? [];
    if (bridge === undefined || last === undefined) return result;
    const others = range.parse(await askBlocks(call, result)).blocks.slice(0, -2);
    const header = { previous: others.at(-1)?.block_id ?? bridge.previous, extensions: [{}] };
    return { blocks: [...others, { ...bridge, ...header }, last] };
  };
};

const chainMethods = [
  'block_api.get_block_range',
  'account_history_api.enum_virtual_ops',
  'database_api.get_dynamic_global_properties',
];

const isReward = ({ op }: Virtual): boolean => op.type === 'producer_reward_operation';

/**
 * Nodes of other chains: one that has nothing in common with the true one, one that leaves it before the first untrue
 * block, and one that invents blocks after the true head.
 */
export interface OtherChains {
  readonly foreign: string;
  readonly fork: string;
  readonly extended: string;
}

export function liesOf({ foreign, fork, extended }: OtherChains): readonly Lie[] {
  let turn = 0;
  let invented = 0;
  return [
    // Headers.
    {
      name: 'another number',
      distort: onBlocks((each) => ({ ...each, block_id: withNumber(each.block_id, numberOf(each) + 1) })),
    },
    {
      name: 'another previous block',
      distort: onBlocks((each) => ({ ...each, previous: withNumber(zeros, numberOf(each) - 1) })),
    },
    {
      name: 'another id',
      distort: onBlocks((each) => ({ ...each, block_id: withNumber('b'.repeat(40), numberOf(each)) })),
    },
    { name: 'another time', distort: onBlocks((each) => ({ ...each, timestamp: '2020-01-01T00:00:00' })) },
    { name: 'another witness', distort: onBlocks((each) => ({ ...each, witness: 'mallory' })) },
    {
      name: 'no Merkle root beside transactions',
      distort: onBlocks((each) => ({ ...each, transaction_merkle_root: zeros }), hasTransactions),
    },
    {
      name: 'a Merkle root beside no transactions',
      distort: onBlocks(
        (each) => ({ ...each, transaction_merkle_root: 'b'.repeat(40) }),
        (each) => !hasTransactions(each),
      ),
    },
    {
      name: 'a Merkle root that is zero when it is hashed, beside transactions',
      distort: onBlocks(
        (each) => ({
          ...each,
          transaction_merkle_root: `${zeros}xx`,
          transactions: [{ operations: [{ type: 'vote_operation', value: {} }] }],
          transaction_ids: ['b'.repeat(40)],
        }),
        (each) => !hasTransactions(each),
      ),
    },
    {
      name: 'a fork before a true id, whose header has extensions',
      distort: bridgedTo(fork),
      alone: { unknowable: 'it cannot be checked that an id is the hash of a header with extensions' },
    },
    {
      name: 'another chain',
      distort: askOther(foreign, chainMethods),
      isUndecided: true,
      alone: { unknowable: 'nothing of the true chain is known when the index begins', isCaughtLater: true },
    },
    // Bodies.
    { name: 'empty bodies', distort: onBlocks((each) => ({ ...each, transactions: [], transaction_ids: [] })) },
    { name: 'bodies cut short', distort: onBlocks((each) => ({ ...each, transactions: each.transactions.slice(1) })) },
    {
      name: 'fewer ids than transactions',
      distort: onBlocks((each) => ({ ...each, transaction_ids: each.transaction_ids.slice(1) })),
    },
    {
      name: 'a transaction twice',
      distort: onBlocks((each) => ({
        ...each,
        transactions: [...each.transactions, ...each.transactions],
        transaction_ids: [...each.transaction_ids, ...each.transaction_ids],
      })),
    },
    {
      name: 'other ids of transactions',
      distort: onBlocks((each) => ({
        ...each,
        transaction_ids: each.transaction_ids.map((_id, index) => `${index}`.padStart(40, 'b')),
      })),
    },
    // Virtual operations.
    { name: 'no virtual operations', distort: onVirtual(() => []) },
    {
      name: 'virtual operations of the block before',
      distort: onVirtual((operations) => operations.map((each) => ({ ...each, block: Number(each.block) - 1 }))),
    },
    {
      name: 'virtual operations twice',
      distort: onVirtual((operations) => operations.flatMap((each) => (isReward(each) ? [each] : [each, each]))),
    },
    {
      name: 'rewards of producers twice',
      distort: onVirtual((operations) => operations.flatMap((each) => (isReward(each) ? [each, each] : [each]))),
    },
    {
      name: 'a reward missing',
      distort: onVirtual((operations) =>
        operations.filter((each) => !(isReward(each) && Number(each.block) % 5 === 0)),
      ),
    },
    {
      name: 'virtual operations of a transaction that does not exist',
      distort: onVirtual((operations) =>
        operations.map((each) => (isReward(each) ? each : { ...each, trx_id: 'b'.repeat(40) })),
      ),
    },
    {
      name: 'virtual operations of another time',
      distort: onVirtual((operations) => operations.map((each) => ({ ...each, timestamp: '2020-01-01T00:00:00' }))),
    },
    // Head and last irreversible block.
    {
      name: 'an irreversible block beyond the head',
      distort: onHead(({ head_block_number: number }) => ({ irreversible: number + 1_000 })),
    },
    {
      name: 'an irreversible head',
      distort: onHead(({ head_block_number: number }) => ({ irreversible: number })),
      alone: { unknowable: 'a block that may still be undone looks like any other' },
    },
    {
      name: 'a head far ahead, and irreversible',
      distort: onHead(({ head_block_number: number }) => ({ head: number + 1_000, irreversible: number + 999 })),
    },
    {
      name: 'a head a little ahead, and irreversible',
      distort: onHead(({ head_block_number: number }) => ({ head: number + 15, irreversible: number + 14 })),
    },
    {
      name: 'a head far behind, and irreversible',
      distort: onHead(() => ({ head: 6, irreversible: 5 })),
      alone: 'harmless',
    },
    {
      name: 'invented blocks beyond the head, and irreversible ones among them',
      distort: askOther(extended, chainMethods),
      alone: { unknowable: 'blocks that no other node has look like new ones' },
    },
    {
      name: 'an invented head, and the true one as irreversible',
      distort: (call, result) => {
        const number = head.safeParse(result).data?.head_block_number;
        if (number !== undefined) {
          invented = number + 1_000;
          return onHead(() => ({ head: invented, irreversible: number }))(call, result);
        }
        const requested = z.object({ starting_block_num: z.number() }).safeParse(call.params);
        return requested.success && requested.data.starting_block_num === invented
          ? { blocks: [inventedBlock(invented)] }
          : result;
      },
      alone: { unknowable: 'a block that may still be undone looks like any other' },
    },
    {
      name: 'a low irreversible block below the true head',
      distort: onHead(() => ({ irreversible: 5 })),
      alone: 'harmless',
    },
    {
      name: 'a head that goes back',
      distort: onHead(({ head_block_number: number }) =>
        (turn += 1) % 2 === 0 ? {} : { head: number - 60, irreversible: number - 62 },
      ),
      alone: 'harmless',
    },
    // Ranges.
    { name: 'the range after the requested one', distort: onRange((blocks) => blocks.slice(1)) },
    {
      name: 'half of the range',
      distort: onRange((blocks) => blocks.slice(0, Math.ceil(blocks.length / 2))),
      alone: 'harmless',
    },
    {
      name: 'a range with a gap',
      distort: onRange((blocks) => blocks.filter((each) => numberOf(each) !== firstUntrue)),
    },
    { name: 'a block more than requested', distort: onRange((blocks) => [...blocks, ...blocks.slice(-1)]) },
    {
      name: 'the blocks of a fork',
      distort: askOther(fork, chainMethods.slice(0, 2)),
      isUndecided: true,
      alone: { unknowable: 'a fork is as consistent as the true chain' },
    },
    {
      name: 'the blocks of a fork, and true ones in comparisons',
      distort: (call, result) =>
        blockCount(call) > 1 ? askOther(fork, chainMethods.slice(0, 1))(call, result) : result,
      alone: { unknowable: 'a fork is as consistent as the true chain' },
    },
    // Formats.
    { name: 'legacy amounts', distort: onAmounts(() => '5000.000000 VESTS') },
    { name: 'legacy amounts, each time others', distort: onAmounts(() => `${(turn += 1)}.000000 VESTS`) },
    {
      name: 'legacy operations',
      distort: onBlocks(
        (each) => ({
          ...each,
          transactions: each.transactions.map((transaction) => ({
            ...transaction,
            operations: transaction.operations.map(({ type, value }) => [type.replace(/_operation$/, ''), value]),
          })),
        }),
        hasTransactions,
      ),
    },
    {
      name: 'amounts as numbers',
      distort: onAmounts(() => ({ amount: 5_000_000_000, precision: 6, nai: '@@000000037' })),
    },
    {
      name: 'amounts beyond 64 bits',
      distort: onAmounts(() => ({ amount: '9'.repeat(19), precision: 6, nai: '@@000000037' })),
    },
    {
      name: 'amounts that the database rejects',
      distort: onAmounts(() => ({ amount: `${2n ** 63n - 1n}`, precision: 6, nai: '@@000000037' })),
      alone: { unknowable: 'nothing shows that the true amount is another' },
    },
    {
      name: 'numbers of blocks as text',
      distort: onVirtual((operations) => operations.map((each) => ({ ...each, block: String(each.block) }))),
    },
  ];
}
