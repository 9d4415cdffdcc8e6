import { type z } from 'zod';

/** What the typed calls need: a way to call a method. */
export interface HiveApi {
  /**
   * @param method with its API, such as `database_api.find_accounts`
   * @param params as that method takes them: an object, or an array for condenser_api
   * @param result the shape of its result; unknown keys should be let pass. An answer that it refuses is a fault of the
   *   node, and another is asked; what is refused by `untrue` is told as such.
   * @throws HiveRpcError if the call is refused
   * @throws HiveNodesUnavailableError if no node answers
   */
  call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T>;
}

/** What one node answers. */
export interface NodeResult<T> {
  /** Host and port. */
  readonly node: string;
  readonly value: T;
}

/** Several nodes, which can be compared with one another. */
export interface HiveNodes extends HiveApi {
  /** How many nodes there are. */
  readonly nodeCount: number;
  /**
   * Calls a method of every node that can be expected to answer about as soon as the fastest one: a node that is slow or fails
   * calls holds nothing up. Parameters as of `call`.
   *
   * @returns at least one result
   * @throws HiveNodesUnavailableError if no node answers
   */
  callEach<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]>;
}
