import { openRpcDocument } from './open-rpc';

/** The description of the interface by the name of its file. */
export function descriptions(): Promise<Record<string, object>> {
  return Promise.resolve({ 'rpc-gateway.openrpc.json': openRpcDocument() });
}
