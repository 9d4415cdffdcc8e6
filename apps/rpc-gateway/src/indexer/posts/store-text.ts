import { applyHunks, parsePatch } from '../../posts/text-patch';
import { type Changeset } from '../changeset/changeset';
import { type Post } from '../changeset/posts';

/** The body of an operation that creates or edits a post. */
export interface WrittenBody {
  readonly post: Post;
  /** Whether the operation creates the post. */
  readonly isNew: boolean;
  /** The whole text, or a patch. */
  readonly body: string;
}

/**
 * Stores the text of a new or edited post. A patched text keeps the time at which the whole text was written, so that
 * it does not expire later. An edit without a text keeps the text.
 *
 * @returns the texts before (undefined if its mentions have expired) and after; undefined if the text does not change,
 * or the mentions after are unknown: a patch that does not apply, or changes a text whose mentions have expired
 */
export function storeText(
  { notifications: { retention }, posts: { texts } }: Changeset,
  time: Date,
  { post, isNew, body }: WrittenBody,
): { before: string | undefined; after: string } | undefined {
  if (body === '' && !isNew) return undefined;
  const stored = texts.find(post.id);
  const before = stored && stored.written >= retention.expiry(time) ? stored.body : undefined;
  const hunks = isNew ? undefined : parsePatch(body);
  if (hunks === undefined) {
    texts.put({ postId: post.id, written: time, body, isCurrent: true });
    return { before: isNew ? '' : before, after: body };
  }
  // A text that is about to be deleted is not patched, as it may be deleted already.
  if (stored === undefined || stored.written < (retention.bodyExpiry(time) ?? stored.written)) return undefined;
  const after = applyHunks(stored.body, hunks);
  texts.put(after === undefined ? { ...stored, isCurrent: false } : { ...stored, body: after });
  return before === undefined || after === undefined ? undefined : { before, after };
}
