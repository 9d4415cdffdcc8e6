import { z } from 'zod';
import { HiveRpcError, type NodeFault } from './errors';
import { kindOfRpcError } from './kind-of-rpc-error';
import { findUntrue } from './untrue';

/**
 * The answer of a node to a call:
 * - `result`: in the shape that was asked for
 * - `refused`: another node would refuse it as well
 * - `not-served`: the node has no such API or method; another may
 * - `fault`: the node cannot be relied on at the moment
 * - `aborted`: it was not waited for
 */
export type NodeAnswer<T> =
  | { readonly kind: 'result'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: HiveRpcError }
  | { readonly kind: 'not-served'; readonly error: HiveRpcError }
  | { readonly kind: 'fault'; readonly fault: NodeFault }
  | { readonly kind: 'aborted' };

const rpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

const response = z.compile(
  z.object({
    id: z.unknown().optional(),
    result: z.unknown().optional(),
    error: rpcError.nullish(),
  }),
);

/** Reads the body of a response to the request with this id. */
export function readAnswer<T>(body: string, method: string, id: number, result: z.ZodType<T>): NodeAnswer<T> {
  const json = parseJson(body);
  if (json === undefined) return fault('not-json');
  const envelope = response.safeParse(json);
  if (!envelope.success) return fault('wrong-shape', whereOf(envelope.error));
  if (envelope.data.id !== id) return fault('wrong-id');
  if (envelope.data.error) return readError(method, envelope.data.error);
  if (!('result' in envelope.data)) return fault('wrong-shape', 'no result');
  const value = result.safeParse(envelope.data.result);
  if (!value.success) return faultOfResult(value.error);
  return { kind: 'result', value: value.data };
}

export function fault(kind: NodeFault['kind'], detail?: string): { readonly kind: 'fault'; readonly fault: NodeFault } {
  return { kind: 'fault', fault: detail === undefined ? { kind } : { kind, detail } };
}

function faultOfResult(error: z.ZodError): NodeAnswer<never> {
  const found = findUntrue(error);
  return found ? fault(found.kind, found.detail) : fault('wrong-shape', `result ${whereOf(error)}`);
}

function readError(method: string, error: z.infer<typeof rpcError>): NodeAnswer<never> {
  const kind = kindOfRpcError(error);
  if (kind === 'node-error') return fault('node-error', `${error.code}`);
  return { kind, error: new HiveRpcError(method, error.code, error.message, error.data) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON value is undefined, so it can stand for "no JSON".
    return undefined;
  }
}

/** The place of the first issue, such as `accounts.0.name`; never a value. */
function whereOf(error: z.ZodError): string {
  return error.issues[0]?.path.join('.') ?? '';
}
