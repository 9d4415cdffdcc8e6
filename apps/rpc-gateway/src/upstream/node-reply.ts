import { kindOfRpcError } from '@waggle/chain';
import { type UpstreamFaultKind } from '@waggle/contracts';
import { textsIn } from '../rpc/json-texts';

/**
 * What a node answers to a call:
 * - `result`: the result
 * - `refused`: an error that another node would give as well
 * - `not-served`: the node has no such method; another may
 * - `troubled`: an error that speaks of the node's own trouble
 * - `fault`: no answer
 *
 * `member`: `"result":…` or `"error":…`, as the node wrote it, for an answer to take over.
 */
export type NodeReply =
  { readonly kind: 'result' | 'refused' | 'not-served' | 'troubled'; readonly member: string } | NodeFault;

export interface NodeFault {
  readonly kind: 'fault';
  readonly fault: UpstreamFaultKind;
  /** For the log and metrics; nothing secret. */
  readonly detail: string;
  /** Whether it lies with the node, whatever it was asked. A call may be made to take long, or to have too long an answer. */
  readonly isOfNode: boolean;
  /** Whether the node may have taken the call. */
  readonly wasSent: boolean;
}

export function badResponse(detail: string): NodeFault {
  return { kind: 'fault', fault: 'bad-response', detail, isOfNode: true, wasSent: true };
}

/** Reads the body of a response to the call with this id. All of it is parsed, to see that it is JSON, but nothing is written anew. */
export function readReply(text: string, id: number): NodeReply {
  const response = parse(text);
  if (typeof response !== 'object' || response === null || Array.isArray(response))
    return badResponse('no JSON object');
  const { id: answered, error, result } = response as Readonly<Record<string, unknown>>;
  if (answered !== id) return badResponse('another id');
  if (error === undefined || error === null) {
    if (result === undefined) return badResponse('neither result nor error');
    const resultText = Object.keys(response).length === 3 ? shortcutToResult(text) : undefined;
    return { kind: 'result', member: `"result":${resultText ?? textsIn(text).get('result') ?? ''}` };
  }
  // Some say `"result":null` beside an error.
  if (result !== undefined && result !== null) return badResponse('result and error');
  if (!isRpcError(error)) return badResponse('an error without code or message');
  const kind = kindOfRpcError(error);
  const member = `"error":${textsIn(text).get('error') ?? ''}`;
  return { kind: kind === 'node-error' ? 'troubled' : kind, member };
}

/** As nearly all servers write the three members. In a text that is JSON, the result is all that lies between. */
const beforeResult = /^\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*(?:"id"\s*:\s*(\d+)\s*,\s*)?"result"\s*:/;
const idAtEnd = /,\s*"id"\s*:\s*\d+\s*\}\s*$/;
const endOfObject = /\}\s*$/;
/** Longer than any end that matches. */
const endLength = 64;

/** To look for the end of a result from its beginning takes as long as parsing it. */
function shortcutToResult(text: string): string | undefined {
  const [before, id] = beforeResult.exec(text) ?? [];
  const [behind] = (id === undefined ? idAtEnd : endOfObject).exec(text.slice(-endLength)) ?? [];
  return before === undefined || behind === undefined ? undefined : text.slice(before.length, -behind.length);
}

function isRpcError(error: unknown): error is { code: number; message: string } {
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return false;
  return typeof error.code === 'number' && typeof error.message === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON value is undefined, so it can stand for "no JSON".
    return undefined;
  }
}
