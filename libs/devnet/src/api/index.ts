import { unknownCall } from '../errors';
import { accountByKeyApi } from './account-by-key-api';
import { accountHistoryApi } from './account-history-api';
import { type Api, type Method } from './api';
import { blockApi } from './block-api';
import { bridgeApi, followApi, hiveNamespace } from './social/social-apis';
import { condenserApi } from './condenser-api';
import { condenserContent } from './social/condenser-content';
import { databaseApi } from './database-api';
import { rcApi } from './rc-api';
import { reputationApi } from './reputation-api';
import { unknownApi, unknownMethod } from './social/errors';
import { networkBroadcastApi, transactionStatusApi } from './transaction-apis';

/** The kind of server: a node (hived), a social gateway, or both behind one URL, as public nodes are. */
export type NodeKind = 'node' | 'gateway' | 'public';

const nodeApis: readonly Api[] = [
  accountByKeyApi,
  accountHistoryApi,
  blockApi,
  condenserApi,
  databaseApi,
  networkBroadcastApi,
  rcApi,
  reputationApi,
  transactionStatusApi,
];

const socialApis: readonly Api[] = [bridgeApi, followApi, hiveNamespace];

/** All APIs of the devnet. To add one, write its file and list it in `nodeApis` or `socialApis`. */
const apis: Readonly<Record<NodeKind, readonly Api[]>> = {
  node: nodeApis,
  gateway: [...socialApis, condenserContent],
  public: [...nodeApis, ...socialApis],
};

/**
 * @param name for example `block_api.get_block`.
 * @param without names of APIs that the node lacks.
 * @throws NodeError if there is no such method.
 */
export function getMethod(nodeKind: NodeKind, name: string, without: readonly string[] = []): Method {
  const [apiName = '', methodName, ...rest] = name.split('.');
  const isGateway = nodeKind === 'gateway';
  if (methodName === undefined || rest.length > 0) {
    throw unknownCall('v.size() == 2', 'method specification invalid. Should be api.method');
  }
  const api = apis[nodeKind].find((known) => known.name === apiName && !without.includes(apiName));
  if (!api) {
    if (isGateway) throw unknownApi(apiName);
    throw unknownCall('api_itr != data._registered_apis.end()', 'Could not find API ${api}', { api: apiName });
  }
  const method = Object.hasOwn(api.methods, methodName) ? api.methods[methodName] : undefined;
  if (!method) {
    if (isGateway) throw unknownMethod(name);
    throw unknownCall('method_itr != api_itr->second.end()', 'Could not find method ${method}', { method: methodName });
  }
  return method;
}
