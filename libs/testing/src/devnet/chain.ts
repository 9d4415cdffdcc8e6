import { type AppliedOperation, type Block, merkleRoot, prefixOf, signHeader } from './block';
import { type ChainView } from './chain-view';
import { type NamedOperation } from './dialect';
import { assertion, badExpiration, wrongReferenceBlock } from './errors';
import { genesisBlock, seedOperations } from './genesis';
import { devnetKeys, devnetPassword, keyPair } from './keys';
import { producerReward } from './operations/producer-reward';
import { blockIntervalSeconds, initMiner, mainnetChainId, maxExpirationSeconds, zeroId } from './protocol';
import { signDigest } from './signing';
import { type ChainState } from './state';
import { hiveTime, secondsOf } from './time';
import { readTransaction, readUnsigned, type Transaction, verifySignatures, withSignatures } from './transaction';

export interface DevnetChainOptions {
  /** Seconds since 1970 at which block 0 stands; the default is fixed, so that two chains are the same. */
  readonly genesisTime?: number;
  /** How many blocks the last irreversible block is behind the head; default 1. */
  readonly reversibleBlocks?: number;
  /** 64 characters of hex; the default is that of Hive's main network. */
  readonly chainId?: string;
}

/** How many blocks a chain begins with: as many as make its accounts irreversible, and one more. */
export function initialBlocks(reversibleBlocks: number): number {
  return 2 + reversibleBlocks;
}

/** 2026-01-01T00:00:00Z. */
const defaultGenesisTime = 1_767_225_600;

/** Where hived puts operations that belong to no transaction. */
const noTransaction = { transactionId: zeroId, transactionInBlock: 4_294_967_295 };

const witnessKey = keyPair(initMiner, 'signing', devnetPassword(initMiner));

/**
 * A chain as Hive's, in memory and without a network: transactions come in signed, blocks are made on request.
 * The same inputs give the same ids. It starts with the accounts of `genesis.ts`, created by a transaction in block 1.
 */
export class DevnetChain implements ChainView {
  readonly chainId: string;
  private readonly reversibleBlocks: number;
  private readonly blocks: Block[];
  /** The state after the pending transactions. */
  private pendingState: ChainState;
  private pending: Transaction[] = [];
  private pendingOperations: AppliedOperation[] = [];
  private readonly knownTransactions = new Set<string>();
  private readonly listeners = new Set<(block: Block) => void>();

  constructor(options: DevnetChainOptions = {}) {
    this.chainId = options.chainId ?? mainnetChainId;
    this.reversibleBlocks = options.reversibleBlocks ?? 1;
    const genesis = genesisBlock(hiveTime(options.genesisTime ?? defaultGenesisTime));
    this.blocks = [genesis];
    this.pendingState = genesis.state;
    this.include(seedOperations(), [devnetKeys(initMiner).active.wif]);
    this.produceBlocks(initialBlocks(this.reversibleBlocks));
  }

  get head(): Block {
    return this.blockAt(this.blocks.length - 1);
  }

  get lastIrreversible(): number {
    return Math.max(0, this.head.number - this.reversibleBlocks);
  }

  /** The state with the transactions that wait for the next block: what hived answers about accounts. */
  get state(): ChainState {
    return this.pendingState;
  }

  findBlock(number: number): Block | undefined {
    return number < 1 ? undefined : this.blocks[number];
  }

  /** The chain as it was some blocks ago. */
  asOf(blocksBehind: number): ChainView {
    const head = this.blockAt(Math.max(1, this.head.number - blocksBehind));
    return {
      chainId: this.chainId,
      head,
      lastIrreversible: Math.max(0, head.number - this.reversibleBlocks),
      state: head.state,
      findBlock: (number) => (number <= head.number ? this.findBlock(number) : undefined),
    };
  }

  /**
   * Takes a signed transaction for the next block, in either dialect.
   * @throws NodeError with what a node would answer; nothing of the transaction is applied then.
   */
  push(json: unknown): Transaction {
    return this.accept(readTransaction(json, this.chainId));
  }

  /**
   * Makes a transaction as a client library would, signs it, and takes it for the next block.
   * @param operations in condenser_api's form.
   * @param wifs the private keys that sign.
   * @throws NodeError as `push` does.
   */
  include(operations: readonly [name: string, value: object][], wifs: readonly string[]): Transaction {
    const unsigned = readUnsigned(
      {
        ref_block_num: this.head.number & 0xffff,
        ref_block_prefix: prefixOf(this.head.id),
        expiration: hiveTime(secondsOf(this.head.timestamp) + 60),
        operations,
      },
      this.chainId,
    );
    return this.accept(
      withSignatures(
        unsigned,
        wifs.map((wif) => signDigest(unsigned.digest, wif)),
      ),
    );
  }

  /**
   * Makes a block of the transactions that wait.
   * @param missedSlots how many times 3 seconds passed without a block before this one.
   */
  produceBlock(missedSlots = 0): Block {
    const header = {
      previous: this.head.id,
      timestamp: hiveTime(secondsOf(this.head.timestamp) + blockIntervalSeconds * (1 + missedSlots)),
      witness: initMiner,
      transactionMerkleRoot: merkleRoot(this.pending),
    };
    const reward: AppliedOperation = {
      ...noTransaction,
      operation: producerReward(initMiner),
      virtual: true,
      operationInTransaction: 1,
    };
    const block: Block = {
      ...header,
      ...signHeader(header, witnessKey),
      transactions: this.pending,
      operations: [...realFirst(this.pendingOperations), reward],
      state: this.pendingState,
    };
    this.blocks.push(block);
    this.pending = [];
    this.pendingOperations = [];
    for (const listener of this.listeners) listener(block);
    return block;
  }

  produceBlocks(count: number): Block[] {
    return Array.from({ length: count }, () => this.produceBlock());
  }

  /** Calls the listener after each block. @returns a function that ends it. */
  onBlock(listener: (block: Block) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private accept(transaction: Transaction): Transaction {
    if (this.knownTransactions.has(transaction.id)) {
      throw assertion('!is_known_transaction( trx_id )', 'Duplicate transaction check failed', {
        trx_ix: transaction.id,
      });
    }
    this.checkExpiration(transaction);
    this.checkReferenceBlock(transaction);
    verifySignatures(transaction, this.pendingState);
    this.apply(transaction);
    return transaction;
  }

  private apply(transaction: Transaction): void {
    const state = this.pendingState.copy();
    const applied: AppliedOperation[] = [];
    const at = { transactionId: transaction.id, transactionInBlock: this.pending.length };
    transaction.operations.forEach((operation, operationInTransaction) => {
      applied.push({ ...at, operation, virtual: false, operationInTransaction });
      const emit = (virtual: NamedOperation): void => {
        applied.push({ ...at, operation: virtual, virtual: true, operationInTransaction });
      };
      operation.apply({ state, now: this.head.timestamp, emit });
    });
    this.pendingState = state;
    this.pending.push(transaction);
    this.pendingOperations.push(...applied);
    this.knownTransactions.add(transaction.id);
  }

  private checkExpiration({ expiration }: Transaction): void {
    const now = this.head.timestamp;
    const values = { 'trx.expiration': expiration, now };
    if (expiration <= now) throw badExpiration('now < trx.expiration', values);
    if (secondsOf(expiration) > secondsOf(now) + maxExpirationSeconds) {
      throw badExpiration('trx.expiration <= now + fc::seconds(HIVE_MAX_TIME_UNTIL_EXPIRATION)', values);
    }
  }

  /** A transaction names the low 16 bits of a block's number and bytes 4 to 8 of its id: it is only good on this chain. */
  private checkReferenceBlock({ refBlockNum, refBlockPrefix }: Transaction): void {
    const block = this.blocks[this.head.number - ((this.head.number - refBlockNum) & 0xffff)];
    if (!block || prefixOf(block.id) !== refBlockPrefix) {
      throw wrongReferenceBlock({ 'trx.ref_block_prefix': refBlockPrefix });
    }
  }

  private blockAt(number: number): Block {
    const block = this.blocks[number];
    if (!block) throw new RangeError(`there is no block ${number}`);
    return block;
  }
}

function realFirst(operations: readonly AppliedOperation[]): AppliedOperation[] {
  return [...operations.filter(({ virtual }) => !virtual), ...operations.filter(({ virtual }) => virtual)];
}
