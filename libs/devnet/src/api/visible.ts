import { type IncludedTransaction } from '../chain/block';
import { type ChainView, findTransaction, type Inclusion } from '../chain/chain-view';
import { assertion } from '../errors';
import { type LocatedOperation, operationsOf } from './objects/operation-objects';

// account_history_api serves irreversible blocks only, unless reversible ones are requested. condenser_api never
// requests them.

export function lastVisible(view: ChainView, includesReversible = false): number {
  return includesReversible ? view.head.number : view.lastIrreversible;
}

/** The operations of a block; none if it is not visible. */
export function visibleOperations(
  view: ChainView,
  number: number,
  onlyVirtual: boolean,
  includesReversible = false,
): LocatedOperation[] {
  const block = number <= lastVisible(view, includesReversible) ? view.findBlock(number) : undefined;
  return block ? operationsOf(block).filter(({ virtual }) => virtual || !onlyVirtual) : [];
}

/** @throws NodeError if the transaction is unknown or not visible. */
export function getVisibleTransaction(
  view: ChainView,
  id: string,
  includesReversible = false,
): Inclusion & { readonly transaction: IncludedTransaction } {
  const found = findTransaction(view, id);
  const transaction = found?.block.transactions[found.index];
  if (transaction && found.block.number <= lastVisible(view, includesReversible)) return { ...found, transaction };
  throw assertion('false', 'Unknown Transaction ${t}', { t: id });
}
