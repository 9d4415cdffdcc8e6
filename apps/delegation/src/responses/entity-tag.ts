import { hash } from 'node:crypto';
import { type Known } from '../index-state/known';

/**
 * Names one answer: to this question, in this form, by what was known then. Another account, parameter, form or block gives
 * another tag, so that no cache can take one answer for another. It is weak, as the answer may be compressed or not.
 *
 * @param question the resource and its parameters after their schema, so that no two questions read alike
 */
export function entityTagOf(question: string, { syncedBlock, asOfFrom }: Known): string {
  return `W/"${syncedBlock}-${asOfFrom}-${hash('sha1', question, 'base64url')}"`;
}

/**
 * Whether a client has the answer already, by its `If-None-Match`. `*` names no answer: whether there is any can be told only
 * by reading it, and then it may as well be sent.
 */
export function isHeld(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^(?:W\/)?/, 'W/') === tag);
}
