import { type z } from 'zod';

/** Calls methods of a Hive API. */
export interface HiveApi {
  /**
   * @param method with its API, such as `database_api.find_accounts`
   * @param params as that method takes them: an object, or an array for condenser_api
   * @param result the shape of its result, which should allow unknown keys. A result that it rejects is a failure of
   * the node, and another node is called; a result that it marks with `untrueIssue` is reported as such.
   * @throws HiveRpcError if the nodes reject the call
   * @throws HiveNodesUnavailableError if no node responds
   */
  call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T>;
}

/** Compares the results of several nodes. */
export interface ComparedNodes {
  /**
   * Calls several nodes at the same time, and returns the result that more than half of the configured nodes give, as
   * soon as they do: one of one, two of two, two of three. Parameters as of `HiveApi.call`.
   *
   * @param result must keep only what has to be equal. The order of keys does not matter if it is an object schema.
   * @throws HiveNodesUnavailableError if there is no such result
   */
  majority<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T>;
}
