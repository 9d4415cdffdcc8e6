import { applyEffects, applyTransaction } from './apply';
import { type AppliedOperation, type Block } from './block';
import { type BlockEffect, payComments, producerReward, returnDelegations } from './block-effects';
import { type Periods } from '../operations/operation';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';
import { type Transaction } from './transaction';

/** The pending transactions and effects of the next block. */
export class PendingBlock {
  readonly transactions: Transaction[] = [];
  private readonly operations: AppliedOperation[] = [];
  private readonly effects: BlockEffect[] = [];

  /** @param state after the previous block; it later includes the pending transactions. */
  constructor(public state: ChainState) {}

  /** @throws NodeError if the state does not allow it; nothing of the transaction is applied then. */
  add(transaction: Transaction, context: Periods & { readonly now: HiveTime }): void {
    const { state, operations } = applyTransaction(this.state, transaction, this.transactions.length, context);
    this.state = state;
    this.transactions.push(transaction);
    this.operations.push(...operations);
  }

  addEffect(effect: BlockEffect): void {
    this.effects.push(effect);
  }

  /** Returns the content of the block, which this witness produces at this time. */
  finish(timestamp: HiveTime, witness: string): Pick<Block, 'transactions' | 'operations' | 'state'> {
    const effects = [returnDelegations, payComments, ...this.effects, producerReward(witness)];
    const { state, operations } = applyEffects(this.state, effects, timestamp);
    const real = this.operations.filter((operation) => !operation.virtual);
    const virtual = this.operations.filter((operation) => operation.virtual);
    return { transactions: this.transactions, operations: [...real, ...virtual, ...operations], state };
  }
}
