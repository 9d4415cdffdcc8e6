import { type z } from 'zod';
import { type HiveApi } from '../api/hive-api';
import { type CallKind } from './call-kind';

/** The result of one node. */
export interface NodeResult<T> {
  /** Host and port. */
  readonly node: string;
  readonly value: T;
}

/** Several nodes, which can be compared with one another. */
export interface HiveNodes extends HiveApi {
  /** How many nodes there are. */
  readonly nodeCount: number;
  /** As `call`, with the node that gave the result. */
  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>>;
  /**
   * Calls a method of every node that is not ejected for calls of this kind, and waits for each up to a time limit.
   * Parameters as of `call`.
   *
   * @param kind default: the kind of the method
   * @returns at least one result
   * @throws HiveRpcError if every node rejects the call or lacks the method
   * @throws HiveNodesUnavailableError if no node gives a result, and not all of them reject the call
   */
  callWorkingNodes<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind?: CallKind,
  ): Promise<readonly NodeResult<T>[]>;
  /**
   * Counts an earlier result of this node as a contradiction: for a minute the node is called only if no other one is
   * left.
   *
   * @param node as of `NodeResult`
   * @param reason is logged, so it must hold nothing secret
   */
  distrust(node: string, reason: string): void;
  /** Reads block ranges from other nodes, if there are any, for ten seconds. Parameters as of `distrust`. */
  avoid(node: string, reason: string): void;
}
