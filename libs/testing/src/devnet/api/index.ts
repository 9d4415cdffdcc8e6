import { unknownCall } from '../errors';
import { accountHistoryApi } from './account-history-api';
import { type Api, type Method } from './api';
import { blockApi } from './block-api';
import { condenserApi } from './condenser-api';
import { databaseApi } from './database-api';
import { networkBroadcastApi } from './network-broadcast-api';

/** Every API that the devnet answers. To add one, write its file and name it here. */
const apis: readonly Api[] = [accountHistoryApi, blockApi, condenserApi, databaseApi, networkBroadcastApi];

/**
 * @param name for example `block_api.get_block`.
 * @param without APIs that are not there.
 * @throws NodeError if there is none.
 */
export function getMethod(name: string, without: readonly string[] = []): Method {
  const [apiName = '', methodName, ...rest] = name.split('.');
  if (methodName === undefined || rest.length > 0) {
    throw unknownCall('v.size() == 2', 'method specification invalid. Should be api.method');
  }
  const api = apis.find((known) => known.name === apiName && !without.includes(apiName));
  if (!api) throw unknownCall('api_itr != data._registered_apis.end()', 'Could not find API ${api}', { api: apiName });
  const method = Object.hasOwn(api.methods, methodName) ? api.methods[methodName] : undefined;
  if (!method)
    throw unknownCall('method_itr != api_itr->second.end()', 'Could not find method ${method}', { method: methodName });
  return method;
}
