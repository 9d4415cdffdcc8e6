import { type z } from 'zod';
import { type HiveApi } from '../api/hive-api';
import { type CallKind } from './call-kind';

/** The result of one node. */
export interface NodeResult<T> {
  /** Host and port. */
  readonly node: string;
  readonly value: T;
}

/** Calls several nodes, whose results can be compared with one another. */
export interface HiveNodes extends HiveApi {
  readonly nodeCount: number;
  /** Does the same as `call`, and also returns the name of the node that gave the result. */
  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>>;
  /**
   * Calls a method of every node that is not ejected for calls of this kind, or of every node if all are ejected. Waits
   * for each up to a time limit. The parameters are those of `call`.
   *
   * @param kind by default, the kind of the method
   * @returns at least one result
   * @throws HiveRpcError if every node rejects the call or lacks the method
   * @throws HiveNodesUnavailableError if no node gives a result, and at least one of them fails
   */
  callWorkingNodes<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind?: CallKind,
  ): Promise<readonly NodeResult<T>[]>;
  /**
   * Ejects a node that contradicted itself, other nodes or the chain, for calls of every kind: the client calls it only
   * if no other node is left, by default for a minute.
   *
   * @param node its name in a `NodeResult`
   * @param reason for the log, so it must contain nothing secret
   */
  recordContradiction(node: string, reason: string): void;
  /**
   * Ejects a node that returned blocks which do not fit other results, for calls for block ranges: for ten seconds the
   * client reads them from other nodes, if there are any. The parameters are those of `recordContradiction`.
   */
  recordMismatch(node: string, reason: string): void;
}
