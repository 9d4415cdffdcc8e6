import { HiveNodesUnavailableError } from '@waggle/chain';
import { unavailable } from '../errors/errors';

/**
 * Resolves as the call does.
 *
 * @param code of the error; default `unavailable`
 * @throws ServiceError if no Hive node responds
 */
export async function mapHiveErrors<T>(call: Promise<T>, code?: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof HiveNodesUnavailableError ? unavailable('The Hive network', error, code) : error;
  }
}
