import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** Values that clients send when they have no token. */
const nothing = new Set(['', 'null', 'undefined']);

/**
 * Finds the token in a header, query or frame, with or without the word Bearer; undefined if there is none. Credentials
 * of another scheme, such as `Basic …` from a proxy, are ignored.
 */
export function tokenIn(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(text);
  const token = bearer === null ? text : (bearer[1] ?? '');
  const isOfAnotherScheme = bearer === null && /\s/.test(token);
  return nothing.has(token) || isOfAnotherScheme ? undefined : token;
}

/**
 * Merges repeated slashes in the path of a request target, as reverse proxies do when they match locations. The query,
 * and a target that is an absolute URL, are unchanged.
 */
export function withoutRepeatedSlashes(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') ? path.replace(/\/{2,}/g, '/') + target.slice(path.length) : target;
}

/** Returns the caller's X-Request-Id if it is safe in a log line and a header, otherwise a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
