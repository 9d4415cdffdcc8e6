import { type ChainView } from '../chain/chain-view';
import { NodeError, rpcCode } from '../errors';
import { accountNameOf, type Fields, fieldsOf, flagOf, optional, textOf, uint32Of, uint64Of } from '../fields';
import { type NodeSoftware } from '../software';
import { type HistoryEntry, historyOfHafah, historyOfHived, type HistoryQuery } from './account-history';
import { named, positional } from './api';

const newest = 0xffff_ffff_ffff_ffffn;
const defaultLimit = 1000;
const wrongCount = {
  condition: 'args.size() == 3 || args.size() == 4 || args.size() == 5',
  expected: '3, 4, or 5 argument(s)',
};

/**
 * get_account_history. HAfAH reads the parameters of both APIs in the same way.
 * @param readParams reads them as this API of hived does.
 * @throws NodeError
 */
export function accountHistory(
  view: ChainView,
  { accountHistory: server }: NodeSoftware,
  params: unknown,
  readParams: (params: unknown) => HistoryQuery,
): readonly HistoryEntry[] {
  if (server === 'hived') return historyOfHived(view, readParams(params));
  try {
    return historyOfHafah(view, hafahHistoryQuery(params));
  } catch (error) {
    throw error instanceof NodeError ? error.withoutStack() : error;
  }
}

/** Reads the parameters of account_history_api.get_account_history as hived does. @throws NodeError */
export function namedHistoryQuery(params: unknown): HistoryQuery {
  const fields = named(params);
  return {
    account: accountNameOf(fields['account'] ?? ''),
    start: fields['start'] === undefined ? newest : uint64Of(fields['start']),
    limit: fields['limit'] === undefined ? defaultLimit : uint32Of(fields['limit']),
    filter: filterOf(
      optional(fields['operation_filter_low'], uint64Of),
      optional(fields['operation_filter_high'], uint64Of),
    ),
    includeReversible: optional(fields['include_reversible'], flagOf) ?? false,
  };
}

/**
 * Reads the parameters of condenser_api.get_account_history as hived does: null as a part of the filter is 0. @throws
 * NodeError
 */
export function positionalHistoryQuery(params: unknown): HistoryQuery {
  const [account, start, limit, low, high] = positional(params, 3, 2, wrongCount);
  return {
    account: accountNameOf(account),
    start: uint64Of(start),
    limit: uint32Of(limit),
    filter: filterOf(low === undefined ? undefined : uint64Of(low), high === undefined ? undefined : uint64Of(high)),
    includeReversible: false,
  };
}

const hafahNames = [
  'account',
  'start',
  'limit',
  'operation_filter_low',
  'operation_filter_high',
  'include_reversible',
] as const;

/** Reads the parameters of either API as HAfAH does, by name or by position (its dispatcher.sql). @throws NodeError */
function hafahHistoryQuery(params: unknown): HistoryQuery {
  const fields = hafahFields(params);
  const { account, start, limit, operation_filter_low: low, operation_filter_high: high } = fields;
  if (account === undefined) {
    throw new NodeError(-32602, 'Invalid parameters', "missing a required argument: 'account'");
  }
  const startNumber = optional(start, int64Of) ?? -1n;
  return {
    account: accountNameOf(account),
    start: startNumber < 0n ? newest : startNumber,
    limit: Number(BigInt.asUintN(32, optional(limit, int64Of) ?? BigInt(defaultLimit))),
    filter: filterOf(optional(low, int64Of), optional(high, int64Of)),
    includeReversible: optional(fields['include_reversible'], hafahFlagOf) ?? false,
  };
}

function hafahFields(params: unknown): Fields {
  if (!Array.isArray(params)) return fieldsOf(params ?? {});
  return Object.fromEntries(hafahNames.map((name, index) => [name, params[index] as unknown]));
}

/** One mask of both parts, the higher one for types from 64 on. Undefined if neither part is given. */
function filterOf(low: bigint | undefined, high: bigint | undefined): bigint | undefined {
  if (low === undefined && high === undefined) return undefined;
  return BigInt.asUintN(64, low ?? 0n) | (BigInt.asUintN(64, high ?? 0n) << 64n);
}

function int64Of(value: unknown): bigint {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^-?\d+$/.test(text)) throw parseError("Couldn't parse uint64_t");
  const number = BigInt(text);
  if (BigInt.asIntN(64, number) !== number) throw parseError("Couldn't parse int64_t");
  return number;
}

function hafahFlagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = textOf(value);
  if (text === 'true' || text === 'false') return text === 'true';
  const reason = 'Cannot convert string to bool (only "true" or "false" can be converted)';
  throw new NodeError(rpcCode.serverError, `Bad Cast:${reason}`);
}

function parseError(reason: string): NodeError {
  return new NodeError(rpcCode.serverError, `Parse Error:${reason}`);
}
