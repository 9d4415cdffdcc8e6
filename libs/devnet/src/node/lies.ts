import { producerReward } from '../chain/block-effects';
import { applyEffects } from '../chain/apply';
import { type Block } from '../chain/block';
import { type ChainView } from '../chain/chain-view';

/**
 * Wrong data of a node about a block: with a made-up id as `previous`; missing; with content that does not
 * match its id (no transactions and another witness); without its virtual operations; or with its true header and id,
 * but without its transactions.
 */
export interface Lie {
  readonly kind: 'wrong-previous' | 'missing' | 'altered' | 'no-virtual-operations' | 'no-transactions';
  readonly blockNumber: number;
}

/** The view of a node that returns this wrong data. */
export function lyingView(view: ChainView, lies: readonly Lie[], irreversibleAhead = 0): ChainView {
  return {
    chainId: view.chainId,
    delegationReturnSeconds: view.delegationReturnSeconds,
    head: view.head,
    lastIrreversible: view.lastIrreversible + irreversibleAhead,
    state: view.state,
    pendingTransactions: view.pendingTransactions,
    findBlock(number) {
      const block = view.findBlock(number);
      const lie = lies.find(({ blockNumber }) => blockNumber === number);
      return block && lie ? distort(block, lie) : block;
    },
  };
}

function distort(block: Block, { kind }: Lie): Block | undefined {
  switch (kind) {
    case 'wrong-previous':
      return { ...block, previous: block.previous.slice(0, 8) + 'bad'.repeat(11).slice(0, 32) };
    case 'missing':
      return undefined;
    case 'altered':
      return {
        ...block,
        witness: 'mallory',
        transactions: [],
        operations: applyEffects(block.state, [producerReward('mallory')], block.timestamp).operations,
      };
    case 'no-transactions':
      return {
        ...block,
        transactions: [],
        operations: block.operations.filter(({ virtual }) => virtual),
      };
    case 'no-virtual-operations':
      return { ...block, operations: block.operations.filter(({ virtual }) => !virtual) };
  }
}
