import { errors } from 'undici';
import { type CancelReason } from './cancellation';
import { CancelledError, type HttpResponse, OverBudgetError, RequestTimeoutError } from './http/http-request';
import { failed, type FailedReply, type NodeReply } from './node-reply';

/**
 * The proxy of a node rejects a call with these statuses. They do not eject the node: one caller's calls would eject it
 * for all others.
 */
const statusesOfCall = new Set([400, 413, 414, 422]);

/** Classifies a response with a status other than success. */
export function replyOfStatus({ status, retryAfter }: Pick<HttpResponse, 'status' | 'retryAfter'>): FailedReply {
  const waitMs = retryAfterMs(retryAfter);
  const failure = {
    kind: 'http-status',
    detail: `${status}`,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  } as const;
  return failed(failure, statusesOfCall.has(status) ? 'call' : 'node', true);
}

/** There was no connection yet. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A connection that was idle for too long ends like this too, which is not a failure of the node. */
const resets = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export function isReset(error: unknown): boolean {
  return resets.has(codeOf(error));
}

/** Classifies a request that got no complete response. */
export function replyOfError(error: unknown, cancelReason: CancelReason | undefined): NodeReply<never, never> {
  if (error instanceof OverBudgetError) return { kind: 'over-budget' };
  if (error instanceof RequestTimeoutError) return failed({ kind: 'timeout' }, 'unclear', true);
  if (error instanceof CancelledError || cancelReason !== undefined)
    return failed({ kind: 'timeout' }, cancelReason === 'superseded' ? 'superseded' : 'cut-short', true);
  if (error instanceof errors.ResponseExceededMaxSizeError) return failed({ kind: 'too-large' }, 'call', true);
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') return failed({ kind: 'unreachable', detail: code }, 'call', false);
  return failed({ kind: 'unreachable', detail: code }, resets.has(code) ? 'unclear' : 'node', !beforeSending.has(code));
}

/** Such as `ECONNREFUSED`: the code alone, since a message may contain a URL. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

/**
 * Parses the header `Retry-After`, in seconds or as a date, to milliseconds from now; undefined if it is missing or
 * invalid.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now = Date.now()): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
