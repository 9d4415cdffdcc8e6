import { invalidResponse, kindOfRpcError, type NodeReply } from '@waggle/chain';
import { type UpstreamErrorKind } from '@waggle/contracts';
import { textsIn } from '../rpc/json-texts';

/** A reply whose result or error is the member of the response, `"result":…` or `"error":…`, as the node wrote it. */
export type TextReply = NodeReply<string, string>;

/**
 * Reads the body of a response. All of it is validated as JSON; only an error is parsed. `kindOfRpcError` decides
 * whether an error is final or the call goes to another node.
 */
export function readReply(body: Buffer, id: number): TextReply {
  const texts = membersOf(body);
  if (texts === undefined) return invalidResponse('not-json');
  if (Number(texts.get('id')) !== id) return invalidResponse('wrong-id');
  const [error = 'null', result] = [texts.get('error'), texts.get('result')];
  if (error === 'null')
    return result === undefined
      ? invalidResponse('wrong-shape', 'neither result nor error')
      : { kind: 'result', result: `"result":${result}` };
  // Some servers write `"result":null` beside an error.
  if (result !== undefined && result !== 'null') return invalidResponse('wrong-shape', 'result and error');
  const parsed: unknown = JSON.parse(error);
  if (!isRpcError(parsed)) return invalidResponse('wrong-shape', 'an error without code or message');
  return { kind: kindOfRpcError(parsed), error: `"error":${error}` };
}

/** The kind of a failed reply in error responses and metrics. */
export function errorKindOf({ failure }: Extract<TextReply, { kind: 'failed' }>): UpstreamErrorKind {
  if (failure.kind === 'timeout' || failure.kind === 'unreachable' || failure.kind === 'overloaded')
    return failure.kind;
  const isOverloaded = failure.kind === 'http-status' && (failure.detail === '429' || failure.detail === '503');
  return isOverloaded ? 'overloaded' : 'bad-response';
}

function isRpcError(error: unknown): error is { code: number; message: string } {
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return false;
  return typeof error.code === 'number' && typeof error.message === 'string';
}

const members = new Set(['id', 'error', 'result']);

function membersOf(body: Buffer): ReadonlyMap<string, string> | undefined {
  try {
    return textsIn(body, members);
  } catch {
    return undefined;
  }
}
