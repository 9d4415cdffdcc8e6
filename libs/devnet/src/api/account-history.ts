import { type Block } from '../chain/block';
import { type ChainView } from '../chain/chain-view';
import { assertion } from '../errors';
import { impactedAccounts } from '../impacted-accounts';
import { operationBit } from '../operation-types';
import { type LocatedOperation, operationsOf } from './objects/operation-objects';
import { lastVisible } from './visible';

/** The parameters of `get_account_history`. */
export interface HistoryQuery {
  readonly account: string;
  /**
   * The number of the newest operation to return. A number larger than any in the history selects the newest of all.
   */
  readonly start: bigint;
  readonly limit: number;
  /** A bit mask of operation types; undefined for all. */
  readonly filter: bigint | undefined;
  readonly includeReversible: boolean;
}

/** An operation, and its number in the history of the account. */
export type HistoryEntry = readonly [sequence: number, operation: LocatedOperation];

const maxEntries = 1000;
/** Maximum number of operations that hived searches for those that match a filter. */
const maxScanned = 2000;

/** The operations of each block by account. Blocks do not change, so `operationsByAccount` computes them once. */
const operationsByBlock = new WeakMap<Block, ReadonlyMap<string, readonly LocatedOperation[]>>();

/**
 * Returns the newest operations of an account that match the filter, in ascending order of their numbers, as hived's
 * account_history_api.cpp does.
 *
 * @throws NodeError if the query is invalid, or none of the newest `maxScanned` operations matches and there are others
 */
export function historyOfHived(view: ChainView, query: HistoryQuery): readonly HistoryEntry[] {
  const { start, limit, filter } = query;
  checkLimit(limit);
  if (start < BigInt.asUintN(32, BigInt(limit) - 1n)) throw startTooLow();
  const candidates = candidatesOf(view, query);
  if (filter === undefined) return candidates.slice(0, limit).reverse();
  const found = candidates.slice(0, maxScanned).filter((entry) => matches(entry, filter));
  const firstNotScanned = candidates[maxScanned];
  if (firstNotScanned !== undefined && found.length === 0 && limit > 0) {
    throw assertion(
      'total_processed_items < 2000',
      'Could not find filtered operation in ${total_processed_items} operations, to continue searching, set start=${sequence}.',
      { total_processed_items: maxScanned, sequence: firstNotScanned[0] },
    );
  }
  return found.slice(0, limit).reverse();
}

/**
 * Returns the same entries as `historyOfHived`, but searches without a limit, and checks the query as HAfAH's
 * validators.sql does.
 *
 * @throws NodeError if the query is invalid
 */
export function historyOfHafah(view: ChainView, query: HistoryQuery): readonly HistoryEntry[] {
  const { start, limit, filter } = query;
  checkLimit(limit);
  if (limit === 0 || start < BigInt(limit) - 1n) throw startTooLow();
  const candidates = candidatesOf(view, query);
  const found = filter === undefined ? candidates : candidates.filter((entry) => matches(entry, filter));
  return found.slice(0, limit).reverse();
}

function checkLimit(limit: number): void {
  if (limit <= maxEntries) return;
  // "maxmimum" is hived's spelling.
  throw assertion('args.limit <= 1000', 'limit of ${l} is greater than maxmimum allowed', { l: limit });
}

function startTooLow(): Error {
  return assertion(
    'args.start >= args.limit-1',
    'start must be greater than or equal to limit-1 (start is 0-based index)',
  );
}

function matches([, { operation }]: HistoryEntry, filter: bigint): boolean {
  return (filter & operationBit(operation.name)) !== 0n;
}

/** Returns the visible operations of an account up to number `start`, the newest first. */
function candidatesOf(view: ChainView, { account, start, includeReversible }: HistoryQuery): HistoryEntry[] {
  const last = lastVisible(view, includeReversible);
  const operations: LocatedOperation[] = [];
  for (let number = 1; number <= last; number++) {
    const block = view.findBlock(number);
    if (block) operations.push(...(operationsByAccount(block).get(account) ?? []));
  }
  const entries = operations.map((operation, sequence): HistoryEntry => [sequence, operation]);
  return entries.filter(([sequence]) => sequence <= start).reverse();
}

/**
 * Returns the operations of a block by account, sorted by transaction: each transaction's virtual operations are next
 * to its own.
 */
function operationsByAccount(block: Block): ReadonlyMap<string, readonly LocatedOperation[]> {
  const known = operationsByBlock.get(block);
  if (known) return known;
  const byAccount = new Map<string, LocatedOperation[]>();
  for (const located of operationsOf(block).sort((a, b) => a.transactionInBlock - b.transactionInBlock)) {
    for (const account of impactedAccounts(located.operation)) {
      const operations = byAccount.get(account);
      if (operations) operations.push(located);
      else byAccount.set(account, [located]);
    }
  }
  operationsByBlock.set(block, byAccount);
  return byAccount;
}
