import { mentionedNames } from '../../posts/mentioned-names';
import { applyHunks, findHunks } from '../../posts/text-patch';
import { type Changeset } from '../changeset/changeset';
import { type Post } from '../changeset/posts';
import { notifyUnlessMuted } from '../notification-rules';

/** Whether the body of an edit is a patch of the previous text. */
export function isPatch(body: string): boolean {
  return findHunks(body) !== undefined;
}

/** The names that a body may newly mention. A patch that changes the middle of a name may not show all of it. */
export function possibleMentions(body: string): ReadonlySet<string> {
  const hunks = findHunks(body);
  return mentionedNames(hunks === undefined ? body : hunks.map(({ after }) => after).join('\n'));
}

/** Notifies newly mentioned accounts, and retracts the notifications of those that are no longer mentioned. */
export function updateMentions(changeset: Changeset, time: Date, post: Post, body: string): void {
  const { accounts, notifications, posts } = changeset;
  if (!notifications.isRetained(time)) return;
  const text = textAfter(posts.texts.find(post.id)?.body, body);
  // A patch of a text that was pruned: its mentions are unknown.
  if (text === undefined) return;
  posts.texts.put({ postId: post.id, written: time, body: text });

  const mentioned = new Set([...mentionedNames(text)].flatMap((name) => accounts.find(name)?.id ?? []));
  for (const previous of notifications.mentionsOf(post.id)) {
    if (mentioned.delete(previous.accountId)) continue;
    notifications.mentions.remove(previous);
    notifications.retract(previous.notificationId);
  }
  for (const accountId of mentioned) {
    const details = { recipientId: accountId, sourceId: post.authorId, postId: post.id };
    const notificationId = notifyUnlessMuted(changeset, time, 'mention', details);
    if (notificationId !== undefined) notifications.mentions.put({ postId: post.id, accountId, notificationId });
  }
}

/** @returns undefined for a patch that does not apply */
function textAfter(before: string | undefined, body: string): string | undefined {
  const hunks = findHunks(body);
  if (hunks === undefined) return body;
  return before === undefined ? undefined : applyHunks(before, hunks);
}
