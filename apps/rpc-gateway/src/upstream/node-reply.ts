import { kindOfRpcError } from '@waggle/chain';
import { type UpstreamFaultKind } from '@waggle/contracts';
import { textsIn } from '../rpc/json-texts';

/**
 * What a node answers to a call:
 * - `result`: the result
 * - `refused`: an error that another node would give as well
 * - `not-served`: the node has no such method; another may
 * - `troubled`: an error that speaks of the node's own trouble
 * - `too-long`: an answer for which there was no room
 * - `fault`: no answer
 *
 * `member`: `"result":…` or `"error":…`, as the node wrote it, for an answer to take over.
 */
export type NodeReply =
  | { readonly kind: 'result' | 'refused' | 'not-served' | 'troubled'; readonly member: string }
  | { readonly kind: 'too-long' }
  | NodeFault;

export interface NodeFault {
  readonly kind: 'fault';
  readonly fault: UpstreamFaultKind;
  /** For the log and metrics; nothing secret. */
  readonly detail: string;
  /**
   * Where it lies:
   * - `node`: with the node, whatever it was asked
   * - `unclear`: a call may be made to take long, and a connection may be closed while it is idle
   * - `call`: with the call, such as too long an answer
   * - `caller`: it was not waited for
   */
  readonly blame: 'node' | 'unclear' | 'call' | 'caller';
  /** What the node asked for by `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the node may have taken the call. */
  readonly wasSent: boolean;
}

export function badResponse(detail: string): NodeFault {
  return { kind: 'fault', fault: 'bad-response', detail, blame: 'node', wasSent: true };
}

/** Reads the body of a response to the call with this id. All of it is read, to see that it is JSON, but nothing is written anew. */
export function readReply(body: Buffer, id: number): NodeReply {
  const texts = membersOf(body);
  if (texts === undefined) return badResponse('no JSON');
  if (Number(texts.get('id')) !== id) return badResponse('another id');
  const [error = 'null', result] = [texts.get('error'), texts.get('result')];
  if (error === 'null')
    return result === undefined
      ? badResponse('neither result nor error')
      : { kind: 'result', member: `"result":${result}` };
  // Some say `"result":null` beside an error.
  if (result !== undefined && result !== 'null') return badResponse('result and error');
  const read: unknown = JSON.parse(error);
  if (!isRpcError(read)) return badResponse('an error without code or message');
  const kind = kindOfRpcError(read);
  return { kind: kind === 'node-error' ? 'troubled' : kind, member: `"error":${error}` };
}

function isRpcError(error: unknown): error is { code: number; message: string } {
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return false;
  return typeof error.code === 'number' && typeof error.message === 'string';
}

function membersOf(body: Buffer): ReadonlyMap<string, string> | undefined {
  try {
    return textsIn(body);
  } catch {
    return undefined;
  }
}
