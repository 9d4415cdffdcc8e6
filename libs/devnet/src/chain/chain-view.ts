import { type Block } from './block';
import { type NodeSoftware } from '../software';
import { type ChainState } from '../state/state';
import { type Transaction } from './transaction';

/** A node's view of the chain, which differs for a node that lags or returns wrong data. */
export interface ChainView {
  readonly chainId: string;
  readonly head: Block;
  readonly lastIrreversible: number;
  readonly delegationReturnSeconds: number;
  readonly state: ChainState;
  /** Transactions that are not in a block yet. */
  readonly pendingTransactions: readonly Transaction[];
  findBlock(number: number): Block | undefined;
}

/** A chain that nodes serve. */
export interface ServedChain extends ChainView {
  /** The chain as it was some blocks ago. */
  asOf(blocksBehind: number): ChainView;
  /** Adds a transaction to the next block that is signed over one of these serializations. @throws NodeError */
  push(transaction: unknown, serializations: NodeSoftware['serializations']): Transaction;
  /** Moves the head to the next block. */
  produceBlock(): Block;
  /** Calls the listener after each block. @returns a function that removes the listener. */
  onBlock(listener: (block: Block) => void): () => void;
}

/** The position of a transaction. */
export interface Inclusion {
  readonly block: Block;
  /** Index in the block. */
  readonly index: number;
}

/** Finds a transaction by id in the blocks of the view. */
export function findTransaction(view: ChainView, id: string): Inclusion | undefined {
  for (let number = view.head.number; number >= 1; number--) {
    const block = view.findBlock(number);
    const index = block?.transactions.findIndex((transaction) => transaction.id === id) ?? -1;
    if (block && index >= 0) return { block, index };
  }
  return undefined;
}
