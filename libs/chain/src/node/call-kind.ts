import { blockRangeMethod } from '../api/block-api';
import { findAccountsMethod, headMethod } from '../api/database-api';
import { enumVirtualOpsMethod } from '../api/virtual-operations';

/**
 * The health of a node is tracked separately for each kind of call: the head query proves only the head, block ranges
 * take a hundred times as long as other reads, and each namespace may be served by another program behind the address
 * of the node. `comparison` is a call for one block, so that a follower can compare nodes: it is as fast as other
 * reads. `account list` is a look-up of accounts, perhaps of many, and `vote` a call of `HiveClient.majority`: a node
 * that fails the long responses to the former still takes part in log-ins.
 */
export type CallKind = 'head' | 'blocks' | 'comparison' | 'account list' | 'vote' | 'write' | `read ${string}`;

const blockMethods: ReadonlySet<string> = new Set([blockRangeMethod, enumVirtualOpsMethod]);

/** The kind of a call that changes nothing. For a path, `method` is its prefix. */
export function readKind(method: string): CallKind {
  if (method === headMethod) return 'head';
  if (method === findAccountsMethod) return 'account list';
  return blockMethods.has(method) ? 'blocks' : `read ${method.split('.', 1)[0]}`;
}
