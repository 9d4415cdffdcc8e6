import { openApiDocument } from './open-api';
import { openRpcDocument } from '../local/open-rpc';

/** The generated API documents, by file name. */
export function descriptions(): Promise<Record<string, object>> {
  return Promise.resolve({
    'rpc-gateway.openrpc.json': openRpcDocument(),
    'rpc-gateway.openapi.json': openApiDocument(),
  });
}
