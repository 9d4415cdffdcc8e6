import { checkExpiration, checkOperations, checkReferenceBlock } from './admission';
import { type Block, merkleRoot, prefixOf, signHeader, unsignedHeader } from './block';
import { type BlockEffect } from './block-effects';
import { type ChainView, type ServedChain } from './chain-view';
import { type Serialization } from '../dialect';
import { assertion, MissingAuthority } from '../errors';
import { genesisBlock, seedOperations } from './genesis';
import { Irreversibility } from './irreversibility';
import { devnetKeys, devnetPassword, keyPair } from '../keys';
import { PendingBlock } from './pending-block';
import { blockIntervalSeconds, delegationReturnSeconds, initMiner, mainnetChainId, payoutSeconds } from '../protocol';
import { signDigest } from '../signing/signing';
import { nodeSoftware } from '../software';
import { type ChainState } from '../state/state';
import { type HiveTime, hiveTime, secondsOf } from '../time';
import { readTransaction, readUnsigned, type Transaction, verifySignatures, withSignatures } from './transaction';

export interface DevnetChainOptions {
  /** Time of block 0 in seconds since 1970; the default is fixed, so that chains are reproducible. */
  readonly genesisTime?: number;
  /** Number of blocks that the last irreversible block is behind the head; default 1. */
  readonly reversibleBlocks?: number;
  /** 64 characters of hex; default as on Hive's main network. */
  readonly chainId?: string;
  /** Time until removed VESTS of a delegation return; default five days, as on Hive. */
  readonly delegationReturnSeconds?: number;
  /** Time from the creation of a post or a reply to its payout; default seven days, as on Hive. */
  readonly payoutSeconds?: number;
  /**
   * Replaces the signatures of blocks and of transactions of `include` by bytes of a hash; pushed transactions are
   * still verified. For histories of thousands of blocks: a signature takes 10 ms under Jest.
   */
  readonly unsigned?: boolean;
}

/** Returns the number of blocks of a new chain: enough to make its accounts irreversible, and one more. */
export function initialBlocks(reversibleBlocks: number): number {
  return 2 + reversibleBlocks;
}

/** 2026-01-01T00:00:00Z. */
const defaultGenesisTime = 1_767_225_600;

const seeds = new Map<string, Transaction>();

const witnessKey = keyPair(initMiner, 'signing', devnetPassword(initMiner));

/**
 * A chain like Hive's, in memory and without a network. It accepts signed transactions and produces blocks on request.
 * The same inputs give the same ids. It starts with the accounts of `genesis.ts`, created by a transaction in block 1.
 */
export class DevnetChain implements ServedChain {
  readonly chainId: string;
  readonly delegationReturnSeconds: number;
  private readonly payoutSeconds: number;
  private readonly isUnsigned: boolean;
  private readonly irreversibility: Irreversibility;
  private readonly blocks: Block[];
  private pending: PendingBlock;
  private readonly knownTransactions = new Set<string>();
  private readonly listeners = new Set<(block: Block) => void>();

  constructor(options: DevnetChainOptions = {}) {
    const { reversibleBlocks = 1 } = options;
    this.chainId = options.chainId ?? mainnetChainId;
    this.delegationReturnSeconds = options.delegationReturnSeconds ?? delegationReturnSeconds;
    this.payoutSeconds = options.payoutSeconds ?? payoutSeconds;
    this.isUnsigned = options.unsigned ?? false;
    this.irreversibility = new Irreversibility(reversibleBlocks);
    const genesis = genesisBlock(hiveTime(options.genesisTime ?? defaultGenesisTime));
    this.blocks = [genesis];
    this.pending = new PendingBlock(genesis.state);
    this.includeSeed(genesis.timestamp);
    this.produceBlocks(initialBlocks(reversibleBlocks));
  }

  get head(): Block {
    return this.blockAt(this.blocks.length - 1);
  }

  get lastIrreversible(): number {
    return this.irreversibility.lastAt(this.head.number);
  }

  /** The state including pending transactions, as hived uses it to respond about accounts. */
  get state(): ChainState {
    return this.pending.state;
  }

  get pendingTransactions(): readonly Transaction[] {
    return this.pending.transactions;
  }

  findBlock(number: number): Block | undefined {
    return number < 1 ? undefined : this.blocks[number];
  }

  /** The chain as it was some blocks ago. */
  asOf(blocksBehind: number): ChainView {
    const head = this.blockAt(Math.max(1, this.head.number - blocksBehind));
    return {
      chainId: this.chainId,
      delegationReturnSeconds: this.delegationReturnSeconds,
      head,
      lastIrreversible: this.irreversibility.lastAt(head.number),
      state: head.state,
      pendingTransactions: [],
      findBlock: (number) => (number <= head.number ? this.findBlock(number) : undefined),
    };
  }

  /**
   * Adds a signed transaction to the next block, in either dialect.
   * @param serializations what may be signed; the first one whose signatures suffice determines the id.
   * @throws NodeError with the error of a node; nothing of the transaction is applied then.
   */
  push(json: unknown, serializations = nodeSoftware.hived.serializations): Transaction {
    const [first, second] = serializations;
    try {
      return this.acceptSigned(json, first);
    } catch (error) {
      if (!(error instanceof MissingAuthority) || second === undefined) throw error;
    }
    try {
      return this.acceptSigned(json, second);
    } catch (error) {
      // chain_plugin.cpp, determine_encoding_and_accept_transaction
      if (!(error instanceof MissingAuthority)) throw error;
      throw error.followedBy('Transaction failed to validate using both new (hf26) and legacy serialization');
    }
  }

  /**
   * Creates a transaction as a client library would, signs it, and adds it to the next block.
   * @param operations in condenser_api's form.
   * @param wifs the private keys that sign; ignored if the chain is `unsigned`.
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
      'legacy',
    );
    if (this.isUnsigned) return this.accept(withSignatures(unsigned, []), () => undefined);
    const signatures = wifs.map((wif) => signDigest(unsigned.digest, wif));
    const transaction = withSignatures(unsigned, signatures);
    return this.accept(transaction, () => {
      verifySignatures(transaction, this.state);
    });
  }

  /** Adds an effect that the next block has without a transaction. */
  atNextBlock(effect: BlockEffect): void {
    this.pending.addEffect(effect);
  }

  /**
   * Produces a block with the pending transactions.
   * @param missedSlots how many times 3 seconds passed without a block before this one.
   */
  produceBlock(missedSlots = 0): Block {
    const header = {
      previous: this.head.id,
      timestamp: hiveTime(secondsOf(this.head.timestamp) + blockIntervalSeconds * (1 + missedSlots)),
      witness: initMiner,
      transactionMerkleRoot: merkleRoot(this.pending.transactions),
    };
    const sign = this.isUnsigned ? unsignedHeader : signHeader;
    const content = this.pending.finish(header.timestamp, header.witness);
    const block: Block = { ...header, ...sign(header, witnessKey), ...content };
    this.blocks.push(block);
    this.pending = new PendingBlock(block.state);
    for (const listener of this.listeners) listener(block);
    return block;
  }

  produceBlocks(count: number): Block[] {
    return Array.from({ length: count }, () => this.produceBlock());
  }

  /**
   * Removes the last blocks and the pending transactions, as when another fork wins. New blocks with other content have
   * other ids.
   *
   * @throws RangeError if one of them is irreversible.
   */
  undoBlocks(count: number): void {
    if (this.head.number - count < this.lastIrreversible) throw new RangeError('irreversible blocks stay');
    const undone = this.blocks.splice(this.blocks.length - count).flatMap(({ transactions }) => transactions);
    for (const { id } of [...undone, ...this.pending.transactions]) this.knownTransactions.delete(id);
    this.pending = new PendingBlock(this.head.state);
  }

  /** Stops the progress of irreversibility. */
  holdIrreversible(): void {
    this.irreversibility.hold(this.head.number);
  }

  /** Ends `holdIrreversible`. */
  releaseIrreversible(): void {
    this.irreversibility.release();
  }

  /** Makes the blocks up to this one irreversible; default the head. */
  makeIrreversible(number = this.head.number): void {
    this.irreversibility.raise(Math.min(number, this.head.number));
  }

  /** Calls the listener after each block. @returns a function that removes the listener. */
  onBlock(listener: (block: Block) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Includes the first transaction, which is serialized and signed once for all equal chains: that takes 0.5 s under
   * Jest.
   */
  private includeSeed(genesisTime: HiveTime): void {
    const kind = `${this.chainId} ${genesisTime} ${this.isUnsigned}`;
    const seed = seeds.get(kind);
    if (seed) this.accept(seed, () => undefined);
    else seeds.set(kind, this.include(seedOperations(), [devnetKeys(initMiner).active.wif]));
  }

  private acceptSigned(json: unknown, serialization: Serialization): Transaction {
    const transaction = readTransaction(json, this.chainId, serialization);
    return this.accept(transaction, () => {
      verifySignatures(transaction, this.state);
    });
  }

  private accept(transaction: Transaction, verify: () => void): Transaction {
    checkOperations(transaction);
    if (this.knownTransactions.has(transaction.id)) {
      throw assertion('!is_known_transaction( trx_id )', 'Duplicate transaction check failed', {
        trx_ix: transaction.id,
      });
    }
    checkExpiration(transaction, this.head);
    checkReferenceBlock(transaction, this.head, this.blocks);
    verify();
    const { delegationReturnSeconds, payoutSeconds } = this;
    this.pending.add(transaction, { now: this.head.timestamp, delegationReturnSeconds, payoutSeconds });
    this.knownTransactions.add(transaction.id);
    return transaction;
  }

  private blockAt(number: number): Block {
    const block = this.blocks[number];
    if (!block) throw new RangeError(`there is no block ${number}`);
    return block;
  }
}
