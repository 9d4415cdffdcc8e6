import { hash } from 'node:crypto';
import { type IndexPosition } from '../index-state/index-position';

/**
 * The weak ETag of a response. It differs by resource, parameters, form and block, so that caches cannot confuse
 * responses. Weak because the response may be compressed.
 *
 * @param cacheKey the resource and its validated parameters, unambiguously
 */
export function entityTagOf(cacheKey: string, { syncedBlock, asOfFrom }: IndexPosition): string {
  return `W/"${syncedBlock}-${asOfFrom}-${hash('sha1', cacheKey, 'base64url')}"`;
}

/**
 * Whether the client's `If-None-Match` contains the tag. `*` never matches: it would require reading the data, which
 * can then be sent as well.
 */
export function isMatched(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^(?:W\/)?/, 'W/') === tag);
}
