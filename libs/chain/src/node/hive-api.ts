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
