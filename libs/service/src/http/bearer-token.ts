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
