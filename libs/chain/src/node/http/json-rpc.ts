import { z } from 'zod';
import { HiveRpcError } from '../errors';
import { kindOfRpcError } from '../kind-of-rpc-error';
import { type FailedReply, invalidResponse, type NodeReply, type ReadResponse } from '../node-reply';
import { findUntrue } from '../../api/untrue-result';

const rpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

const response = z.compile(
  z.object({
    id: z.unknown().optional(),
    result: z.unknown().optional(),
    error: rpcError.nullish(),
  }),
);

/** Maximum length of a node's error text in the detail of a failure. */
const maxDetailLength = 100;

/**
 * Reads responses whose result has this shape.
 *
 * @param rpcErrorIsFailure whether a JSON-RPC error is a failure of the node
 */
export function resultReader<T>(
  method: string,
  result: z.ZodType<T>,
  rpcErrorIsFailure = false,
): ReadResponse<T, HiveRpcError> {
  return (body, id) => {
    const reply = readResponse(body, id, method, result);
    if (reply.kind !== 'rejected' || !rpcErrorIsFailure) return reply;
    const { code, rpcMessage } = reply.error;
    return invalidResponse('rejected', `${code} ${rpcMessage.slice(0, maxDetailLength)}`);
  };
}

function readResponse<T>(body: Buffer, id: number, method: string, result: z.ZodType<T>): NodeReply<T, HiveRpcError> {
  const json = parseJson(body.toString());
  if (json === undefined) return invalidResponse('not-json');
  const envelope = response.safeParse(json);
  if (!envelope.success) return invalidResponse('wrong-shape', whereOf(envelope.error));
  if (envelope.data.id !== id) return invalidResponse('wrong-id');
  if (envelope.data.error) return readError(method, envelope.data.error);
  if (!('result' in envelope.data)) return invalidResponse('wrong-shape', 'no result');
  const value = result.safeParse(envelope.data.result);
  return value.success ? { kind: 'result', result: value.data } : invalidResult(value.error);
}

function invalidResult(error: z.ZodError): FailedReply {
  const found = findUntrue(error);
  return found ? invalidResponse(found.kind, found.detail) : invalidResponse('wrong-shape', `result ${whereOf(error)}`);
}

function readError(method: string, error: z.infer<typeof rpcError>): NodeReply<never, HiveRpcError> {
  const kind = kindOfRpcError(error);
  if (kind === 'node-error') return invalidResponse('node-error', `${error.code}`);
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

/** The path of the first issue, such as `accounts.0.name`; never a value. */
function whereOf(error: z.ZodError): string {
  return error.issues[0]?.path.join('.') ?? '';
}
