import { NodeError, rpcCode, unknownCall } from '../errors';
import { type Fields, isFields, listOf, textOf } from '../fields';
import { type NodeSoftware } from '../software';

/** A call of one method, read from either form: `api.method`, or `call` with `[api, method, params]`. */
export interface Call {
  /** For example `block_api.get_block`. */
  readonly method: string;
  readonly params: unknown;
}

/** The result of a call, or a promise of it. */
type Serve = (call: Call) => unknown;

/** Executes a request or a batch like hived's JSON-RPC plugin. */
export async function respond(body: unknown, serve: Serve, software: NodeSoftware): Promise<unknown> {
  if (!Array.isArray(body)) return respondToOne(body, serve, software);
  if (body.length === 0) return failure(null, new NodeError(rpcCode.serverError, 'Array is invalid'));
  return Promise.all(body.map((request: unknown) => respondToOne(request, serve, software)));
}

/** The response to a body that is not JSON. */
export function unparsable(): unknown {
  return failure(null, new NodeError(rpcCode.serverError, 'Parse Error:Unexpected content'));
}

async function respondToOne(request: unknown, serve: Serve, software: NodeSoftware): Promise<unknown> {
  if (!isFields(request)) return failure(null, new NodeError(rpcCode.serverError, 'Bad Cast:Invalid cast to object'));
  const id = request['id'];
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id)) {
    const text = 'Only integer value or string is allowed for member "id"';
    return failure(null, new NodeError(rpcCode.invalidRequest, text));
  }
  try {
    return { jsonrpc: '2.0', result: await serve(readCall(request)), id: id ?? null };
  } catch (error) {
    if (error instanceof NodeError) return failure(id ?? null, error.from(software));
    throw error;
  }
}

function readCall(request: Fields): Call {
  const { jsonrpc, method, params } = request;
  if (jsonrpc !== '2.0') throw new NodeError(rpcCode.invalidRequest, 'jsonrpc value is not "2.0"');
  if (typeof method !== 'string') throw new NodeError(rpcCode.invalidRequest, 'A member "method" does not exist');
  if (method !== 'call') return { method, params };
  if (params === undefined) throw new NodeError(rpcCode.noParams, 'A member "params" does not exist');
  const [api, name, args, ...rest] = listOf(params);
  if (api === undefined || name === undefined || rest.length > 0) {
    throw unknownCall('v.size() == 2 || v.size() == 3', 'params should be {"api", "method", "args"');
  }
  return { method: `${textOf(api)}.${textOf(name)}`, params: args };
}

function failure(id: unknown, error: unknown): unknown {
  return { jsonrpc: '2.0', error, id };
}
