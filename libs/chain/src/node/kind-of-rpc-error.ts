/**
 * What causes a JSON-RPC error of a node:
 * - `rejected`: the call; another node would reject it too
 * - `not-served`: the node has no such API or method; another may
 * - `node-error`: the node itself
 */
export type RpcErrorKind = 'rejected' | 'not-served' | 'node-error';

/** "Internal error" in the JSON-RPC specification; the proxy jussi uses it for all of its own errors. */
const internalError = -32603;
/** "Method not found" in the JSON-RPC specification. */
const methodNotFound = -32601;

/**
 * hived gives nearly all of its errors the code -32003, so errors of the node are recognized by the text ("Unable to
 * acquire database lock"); the other texts come from jussi when the node behind it fails ("Request Timeout", "Upstream
 * response error", "Bad or missing upstream response").
 */
const nodeErrorText = /unable to acquire .*lock|request timeout|upstream response|internal error/i;

/** hived without the plugin: "Could not find API ${api}", "Could not find method ${method}". */
const notServed = /could not find (api|method)/i;

export function kindOfRpcError({ code, message }: { code: number; message: string }): RpcErrorKind {
  if (code === methodNotFound || notServed.test(message)) return 'not-served';
  return code === internalError || nodeErrorText.test(message) ? 'node-error' : 'rejected';
}
