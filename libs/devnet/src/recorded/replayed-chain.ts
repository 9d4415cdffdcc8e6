import { type Block } from '../chain/block';
import { type ChainView, type ServedChain } from '../chain/chain-view';
import { assertion } from '../errors';
import { delegationReturnSeconds, mainnetChainId } from '../protocol';
import { type ChainState } from '../state/state';
import { type RecordedChain } from './recorded-chain';

/**
 * A recorded chain whose head moves from block to block. After the last one, blocks still become irreversible. It takes
 * no transactions.
 */
export class ReplayedChain implements ServedChain {
  readonly chainId = mainnetChainId;
  readonly delegationReturnSeconds = delegationReturnSeconds;
  readonly pendingTransactions = [];
  private readonly listeners = new Set<(block: Block) => void>();
  private current: Block;
  /** How many blocks would follow the last one by now. */
  private blocksAfterEnd = 0;

  /**
   * @param headNumber the number of the first head
   * @param reversibleBlocks how many blocks the last irreversible block is behind the head
   * @throws RangeError if the block was not recorded
   */
  constructor(
    private readonly recorded: RecordedChain,
    headNumber: number,
    private readonly reversibleBlocks: number,
  ) {
    const head = recorded.find(headNumber);
    if (!head) throw new RangeError(`block ${headNumber} was not recorded`);
    this.current = head;
  }

  get head(): Block {
    return this.current;
  }

  get lastIrreversible(): number {
    const reversible = Math.max(0, this.reversibleBlocks - this.blocksAfterEnd);
    return Math.max(0, this.head.number - reversible);
  }

  get state(): ChainState {
    return this.head.state;
  }

  /** Blocks that were not recorded are missing, as at a node that keeps only a part of the chain. */
  findBlock(number: number): Block | undefined {
    return number > this.head.number ? undefined : this.recorded.find(number);
  }

  asOf(blocksBehind: number): ChainView {
    const head = Math.max(this.recorded.first.number, this.head.number - blocksBehind);
    return new ReplayedChain(this.recorded, head, this.reversibleBlocks);
  }

  push(): never {
    throw assertion('false', 'A recorded chain takes no transactions');
  }

  /** Moves the head to the next block, if there is one. */
  produceBlock(): Block {
    const next = this.recorded.find(this.head.number + 1);
    if (!next) {
      this.blocksAfterEnd += 1;
      return this.head;
    }
    this.current = next;
    for (const listener of this.listeners) listener(next);
    return next;
  }

  onBlock(listener: (block: Block) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
