import { type DevnetNode } from '../src/node/node';

/** Calls a method of a node. @returns its result, or the error object under `error` */
export async function callNode(node: DevnetNode, method: string, params: unknown = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = (await (await fetch(node.url, { method: 'POST', body })).json()) as object;
  if ('result' in response) return response.result;
  return { error: Reflect.get(response, 'error') as unknown };
}

/** What `callNode` returns for an error with this message. */
export function rejected(message: string, code = -32003): object {
  return { error: { code, message } };
}
