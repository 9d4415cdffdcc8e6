import { blockRangeMethod } from '../api/block-api';
import { headMethod } from '../api/database-api';
import { enumVirtualOpsMethod } from '../api/virtual-operations';

/**
 * The kinds of calls for which the health of a node is tracked separately: the head query proves only the head, block ranges take a
 * hundred times as long as other reads, and each namespace may be served by another program behind the address of the node.
 * `comparison` is a call for one block with which a follower compares nodes: it is as fast as other reads.
 */
export type CallKind = 'head' | 'blocks' | 'comparison' | 'write' | `read ${string}`;

const blockMethods: ReadonlySet<string> = new Set([blockRangeMethod, enumVirtualOpsMethod]);

/** The kind of a call that changes nothing. */
export function readKind(method: string): CallKind {
  if (method === headMethod) return 'head';
  return blockMethods.has(method) ? 'blocks' : `read ${method.slice(0, method.indexOf('.'))}`;
}
