import { type Block } from '../chain/block';
import { type ChainView } from '../chain/chain-view';
import { assertion } from '../errors';
import { impactedAccounts } from '../impacted-accounts';
import { operationBit } from '../operation-types';
import { type LocatedOperation, operationsOf } from './objects/operation-objects';
import { lastVisible } from './visible';

/** The parameters of get_account_history. */
export interface HistoryQuery {
  readonly account: string;
  /** The number of the newest operation; larger than any for the newest of all. */
  readonly start: bigint;
  readonly limit: number;
  /** A bit mask of operation types; undefined for all. */
  readonly filter: bigint | undefined;
  readonly includeReversible: boolean;
}

/** An operation, and its number in the history of the account. */
export type HistoryEntry = readonly [sequence: number, operation: LocatedOperation];

const maxEntries = 1000;
/** How many operations hived reads to find the ones that match a filter. */
const maxScanned = 2000;

/**
 * The newest operations of an account that match, in the order of their numbers. @throws NodeError as hived's
 * account_history_api.cpp
 */
export function historyOfHived(view: ChainView, query: HistoryQuery): readonly HistoryEntry[] {
  const { start, limit, filter } = query;
  checkLimit(limit);
  if (start < BigInt.asUintN(32, BigInt(limit) - 1n)) throw startTooLow();
  const candidates = candidatesOf(view, query);
  if (filter === undefined) return candidates.slice(0, limit).reverse();
  const scanned = candidates.slice(0, maxScanned).filter(matches(filter));
  const next = candidates[maxScanned];
  if (next !== undefined && scanned.length === 0 && limit > 0) {
    throw assertion(
      'total_processed_items < 2000',
      'Could not find filtered operation in ${total_processed_items} operations, to continue searching, set start=${sequence}.',
      { total_processed_items: maxScanned, sequence: next[0] },
    );
  }
  return scanned.slice(0, limit).reverse();
}

/** As `historyOfHived`, without the limit of a search. @throws NodeError as HAfAH's validators.sql */
export function historyOfHafah(view: ChainView, query: HistoryQuery): readonly HistoryEntry[] {
  const { start, limit, filter } = query;
  checkLimit(limit);
  if (limit === 0 || start < BigInt(limit) - 1n) throw startTooLow();
  const candidates = candidatesOf(view, query);
  const found = filter === undefined ? candidates : candidates.filter(matches(filter));
  return found.slice(0, limit).reverse();
}

function checkLimit(limit: number): void {
  if (limit <= maxEntries) return;
  throw assertion('args.limit <= 1000', 'limit of ${l} is greater than maxmimum allowed', { l: limit });
}

function startTooLow(): Error {
  return assertion(
    'args.start >= args.limit-1',
    'start must be greater than or equal to limit-1 (start is 0-based index)',
  );
}

function matches(filter: bigint): (entry: HistoryEntry) => boolean {
  return ([, { operation }]) => (filter & operationBit(operation.name)) !== 0n;
}

/** The visible operations of the account from `start` on, the newest first. */
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

const indexes = new WeakMap<Block, ReadonlyMap<string, readonly LocatedOperation[]>>();

/** The operations of a block by account, each transaction with its virtual operations. */
function operationsByAccount(block: Block): ReadonlyMap<string, readonly LocatedOperation[]> {
  const known = indexes.get(block);
  if (known) return known;
  const index = new Map<string, LocatedOperation[]>();
  for (const located of operationsOf(block).sort((a, b) => a.transactionInBlock - b.transactionInBlock)) {
    for (const account of impactedAccounts(located.operation)) {
      const operations = index.get(account);
      if (operations) operations.push(located);
      else index.set(account, [located]);
    }
  }
  indexes.set(block, index);
  return index;
}
