import { type Block } from './block';
import { type ChainState } from './state';

/** What a node sees of the chain. A node that is behind, or that lies, has a view of its own. */
export interface ChainView {
  readonly chainId: string;
  readonly head: Block;
  readonly lastIrreversible: number;
  readonly delegationReturnSeconds: number;
  readonly state: ChainState;
  findBlock(number: number): Block | undefined;
}

/** Where a transaction is. */
export interface Inclusion {
  readonly block: Block;
  /** Place in the block. */
  readonly index: number;
}

/** The transaction with this id, as far as the view reaches. */
export function findTransaction(view: ChainView, id: string): Inclusion | undefined {
  for (let number = view.head.number; number >= 1; number--) {
    const block = view.findBlock(number);
    const index = block?.transactions.findIndex((transaction) => transaction.id === id) ?? -1;
    if (block && index >= 0) return { block, index };
  }
  return undefined;
}
