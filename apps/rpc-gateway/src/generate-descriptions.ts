import { openApiDocument } from './api-description/open-api';
import { openRpcDocument } from './local/open-rpc';

/** Generates the API descriptions, by the names of their files. */
export function generateDescriptions(): Promise<Record<string, object>> {
  return Promise.resolve({
    'rpc-gateway.openrpc.json': openRpcDocument(),
    'rpc-gateway.openapi.json': openApiDocument(),
  });
}
