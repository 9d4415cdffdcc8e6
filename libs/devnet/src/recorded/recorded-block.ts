import {
  type Block,
  blockId,
  type IncludedTransaction,
  merkleRoot,
  serializeHeader,
  unsignedHeader,
} from '../chain/block';
import { Asset, vests } from '../state/assets';
import { type NamedOperation } from '../dialect';
import { countOf, type Fields, fieldsOf, isFields, listOf, optional, textOf, textsOf } from '../fields';
import { devnetKeys } from '../keys';
import { isVirtualOperation } from '../operation-types';
import { initMiner, zeroId } from '../protocol';
import { type HiveTime, neverHappened } from '../time';

/** A block without the rest of its header. */
export interface RecordedBlock {
  readonly number: number;
  readonly timestamp: HiveTime;
  readonly witness: string;
  readonly transactions: readonly IncludedTransaction[];
  /** The virtual operations with the ids of their transactions. */
  readonly virtual: readonly VirtualOperation[];
  /** The reward of the witness. */
  readonly reward: NamedOperation;
}

interface VirtualOperation {
  readonly operation: NamedOperation;
  readonly transactionId: string;
}

/** A block without the state after it. */
export type StatelessBlock = Omit<Block, 'state'>;

/** Reads a recorded block. If its reward was not recorded, it is made up. @throws NodeError if it is malformed */
export function readRecordedBlock(json: unknown): RecordedBlock {
  const fields = fieldsOf(json);
  const witness = optional(fields['witness'], textOf) ?? initMiner;
  const all = listOf(fields['txs']).map(readTransaction);
  // Some recordings have virtual operations in their transactions.
  const misplaced = all.flatMap(({ id, operations }) =>
    operations.filter(isVirtual).map((operation) => ({ operation, transactionId: id })),
  );
  const recorded = optional(fields['vops'], listOf) ?? [];
  return {
    number: countOf(fields['n']),
    timestamp: textOf(fields['ts']),
    witness,
    transactions: all.map((each) => ({ ...each, operations: each.operations.filter((one) => !isVirtual(one)) })),
    virtual: [...misplaced, ...recorded.map(readVirtual)],
    reward: optional(fields['reward'], readOperation) ?? rewardOf(witness),
  };
}

export function rewardOf(witness: string): NamedOperation {
  return { name: 'producer_reward', value: { producer: witness, vesting_shares: vests(1) } };
}

/**
 * Adds the recorded header to a block.
 *
 * @throws Error if the recorded id is not the hash of the header
 */
export function withRecordedHeader(block: RecordedBlock, json: Fields): StatelessBlock {
  const [previous, transactionMerkleRoot] = [textOf(json['previous']), textOf(json['root'])];
  const [id, witnessSignature, signingKey] = [textOf(json['id']), textOf(json['sig']), textOf(json['skey'])];
  const header = { ...headerOf(block), previous, transactionMerkleRoot };
  if (blockId(block.number, serializeHeader(header), witnessSignature) !== id)
    throw new Error(`the id of the recorded block ${block.number} is not the hash of its header`);
  return { ...header, ...contentOf(block), number: block.number, id, witnessSignature, signingKey };
}

/**
 * Makes up a header after the block `previous`, whose id is its hash. The Merkle root is computed from the ids of the
 * transactions.
 */
export function withNewHeader(block: RecordedBlock, previous: string): StatelessBlock {
  const leaves = block.transactions.map(({ id }) => ({ merkleDigest: Buffer.from(id, 'hex') }));
  const header = { ...headerOf(block), previous, transactionMerkleRoot: merkleRoot(leaves) };
  return { ...header, ...contentOf(block), ...unsignedHeader(header, devnetKeys(initMiner).active) };
}

function headerOf({ timestamp, witness }: RecordedBlock): Pick<Block, 'timestamp' | 'witness'> {
  return { timestamp, witness };
}

function contentOf({ transactions, virtual, reward }: RecordedBlock): Pick<Block, 'transactions' | 'operations'> {
  const indexes = new Map(transactions.map(({ id }, index) => [id, index]));
  const ofTransactions = transactions.flatMap(({ id, operations }, transactionInBlock) =>
    operations.map((operation, operationInTransaction) => ({
      ...{ operation, virtual: false, transactionId: id, transactionInBlock, operationInTransaction },
    })),
  );
  const effects = [...virtual, { operation: reward, transactionId: zeroId }].map(({ operation, transactionId }) => {
    const index = indexes.get(transactionId);
    const position =
      index === undefined
        ? { transactionId: zeroId, transactionInBlock: noTransactionIndex }
        : { transactionId, transactionInBlock: index };
    return { operation, virtual: true, ...position, operationInTransaction: 0 };
  });
  // Sorting is stable: within a transaction the virtual ones are last.
  const operations = [...ofTransactions, ...effects].sort((a, b) => a.transactionInBlock - b.transactionInBlock);
  return { transactions, operations };
}

/** The index that hived gives to operations outside of transactions. */
const noTransactionIndex = 4_294_967_295;

function readTransaction(json: unknown): IncludedTransaction {
  const fields = fieldsOf(json);
  return {
    id: textOf(fields['id']),
    refBlockNum: optional(fields['rbn'], countOf) ?? 0,
    refBlockPrefix: optional(fields['rbp'], countOf) ?? 0,
    expiration: optional(fields['exp'], textOf) ?? neverHappened,
    operations: listOf(fields['ops']).map(readOperation),
    signatures: textsOf(fields['sigs']),
  };
}

function readVirtual(json: unknown): VirtualOperation {
  const { op, trx } = fieldsOf(json);
  return { operation: readOperation(op), transactionId: textOf(trx) };
}

/** Reads `{type: "transfer_operation", value: {…}}`. */
function readOperation(json: unknown): NamedOperation {
  const { type, value } = fieldsOf(json);
  return { name: textOf(type).replace(/_operation$/, ''), value: fieldsOf(withAssets(value)) };
}

/** Replaces amounts by `Asset`s, which the APIs write in different forms. */
function withAssets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAssets);
  if (!isFields(value)) return value;
  if ('nai' in value && 'amount' in value) return Asset.parse(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withAssets(item)]));
}

function isVirtual({ name }: NamedOperation): boolean {
  return isVirtualOperation(name);
}
