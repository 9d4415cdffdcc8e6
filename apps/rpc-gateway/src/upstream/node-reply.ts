import {
  failed,
  invalidResponse,
  isOtherServer,
  kindOfRpcError,
  type NodeReply,
  type ReadResponse,
  replyOfStatus,
} from '@waggle/chain';
import { RpcError, rpcErrorCodes, type UpstreamErrorKind } from '@waggle/contracts';
import { errorMember } from '../rpc/rpc-response';
import { textsIn } from '../rpc/json-texts';

/** `"error":…`, as the node wrote it, and the HTTP status of the error if it responds to a path. */
export interface TextError {
  readonly member: string;
  readonly status?: number;
}

/** A reply whose result or error is the member of the response, `"result":…` or `"error":…`, as the node wrote it. */
export type TextReply = NodeReply<string, TextError>;

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
  return { kind: kindOfRpcError(parsed), error: { member: `"error":${error}` } };
}

/**
 * Reads the response of a REST API. An error status is the fault of the request, not of the node, unless the node's
 * proxy sends it: PostgREST responds even to a timeout of its database with 500.
 */
export const readPathReply: ReadResponse<string, TextError> = (body, _id, { status, retryAfter }) => {
  if (status < 300) return readPathResult(body);
  const json = jsonTextOf(body);
  const isOfProxy = status === 408 || status === 429 || status > 501 || (status === 500 && json === undefined);
  if (isOfProxy) return replyOfStatus({ status, retryAfter });
  if (status < 400) return failed({ kind: 'http-status', detail: String(status) }, 'call', true);
  const isUnserved = json === undefined ? [404, 405, 501].includes(status) : status === 404 && unknownPath.test(json);
  if (isUnserved) return unservedReply;
  const error = json ?? JSON.stringify({ code: String(status), message: `The node responded with status ${status}` });
  return { kind: 'rejected', error: { member: `"error":${error}`, status } };
};

/** Codes of PostgREST and PostgreSQL for functions that an API of another version has. */
const unknownPath = /"code"\s*:\s*"(?:PGRST202|PGRST125|42883|42P01)"/;

/** Reads the body of a success. An empty one is null. */
function readPathResult(body: Buffer): TextReply {
  if (isOtherServer(body)) return unservedReply;
  const json = body.length === 0 ? 'null' : jsonTextOf(body);
  return json === undefined
    ? failed({ kind: 'not-json' }, 'call', true)
    : { kind: 'result', result: `"result":${json}` };
}

const unservedReply: TextReply = {
  kind: 'not-served',
  error: { member: errorMember(new RpcError(rpcErrorCodes.methodNotFound, 'No node serves this path')) },
};

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

function jsonTextOf(body: Buffer): string | undefined {
  const text = body.toString();
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

const members = new Set(['id', 'error', 'result']);

function membersOf(body: Buffer): ReadonlyMap<string, string> | undefined {
  try {
    return textsIn(body, members);
  } catch {
    return undefined;
  }
}
