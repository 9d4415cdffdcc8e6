/** What clients write when they have no token. */
const nothing = new Set(['', 'null', 'undefined']);

/**
 * The token that a client has written into a header, query or frame, with or without the word Bearer; undefined where it
 * had none. What is of another scheme (`Basic …`, of a proxy before us) is no token of ours.
 */
export function tokenIn(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(text);
  const token = bearer === null ? text : (bearer[1] ?? '');
  const isOfAnotherScheme = bearer === null && /\s/.test(token);
  return nothing.has(token) || isOfAnotherScheme ? undefined : token;
}
