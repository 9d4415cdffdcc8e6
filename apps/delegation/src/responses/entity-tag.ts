import { hash } from 'node:crypto';
import { type Known } from '../index-state/known';

/**
 * The weak ETag of a response. It differs by resource, parameters, form and block, so that caches cannot confuse
 * responses. Weak because the response may be compressed.
 *
 * @param question the resource and its validated parameters, unambiguously
 */
export function entityTagOf(question: string, { syncedBlock, asOfFrom }: Known): string {
  return `W/"${syncedBlock}-${asOfFrom}-${hash('sha1', question, 'base64url')}"`;
}

/**
 * Whether the client's `If-None-Match` contains the tag. `*` never matches: it would require reading the data, which
 * can then be sent as well.
 */
export function isMatched(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^(?:W\/)?/, 'W/') === tag);
}
