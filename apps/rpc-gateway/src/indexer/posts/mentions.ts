import { applyHunks, findHunks } from '../../posts/text-patch';
import { type MentionEntity } from '../../notifications/mention.entity';
import { type Changeset } from '../changeset/changeset';
import { type Post } from '../changeset/posts';
import { notifyUnlessMuted } from '../changeset/notification-rules';

/**
 * Matches `@name`, unless it continues a word, link or e-mail address, and without a final full stop or the rest of a
 * long name.
 */
const mention = /(?<![a-zA-Z0-9_!#$%&*@\\/])@([a-zA-Z0-9.-]{1,16}[a-zA-Z0-9])(?![a-z])/g;

/** The distinct names that a text mentions, in lower case. The accounts may not exist. */
function mentionedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(mention)].map(([, name = '']) => name.toLowerCase()));
}

/** The names that a body may newly mention. A patch that changes the middle of a name may not show all of it. */
export function possibleMentions(body: string): ReadonlySet<string> {
  const hunks = findHunks(body);
  return mentionedNames(hunks === undefined ? body : hunks.map(({ after }) => after).join('\n'));
}

interface WrittenText {
  readonly post: Post;
  /** Whether this is the first text of the post. */
  readonly isNew: boolean;
  /** The whole text, or a patch. */
  readonly body: string;
}

/**
 * Notifies newly mentioned accounts other than the author, and retracts the notifications of those that are no longer
 * mentioned. Only the previous text decides which mentions are new. It expires, so no operation depends on expired
 * ones.
 */
export function updateMentions(changeset: Changeset, time: Date, { post, isNew, body }: WrittenText): void {
  const { accounts, notifications } = changeset;
  const { retention } = notifications;
  if (!retention.storesTexts(time)) return;
  const texts = replaceText(changeset, time, post, body);
  if (texts === undefined || !retention.createsNotifications(time)) return;

  const [before, after] = [mentionedNames(texts.before ?? ''), mentionedNames(texts.after)];
  const retract = (mention: Readonly<MentionEntity> | undefined): void => {
    if (mention === undefined) return;
    notifications.mentions.remove(mention);
    notifications.retract(mention.notificationId);
  };
  for (const mention of notifications.mentions.ofGroup(post.id))
    if (!after.has(accounts.findById(mention.accountId)?.name ?? '')) retract(mention);
  if (texts.before !== undefined)
    notifications.retractMentions(
      post.id,
      [...before].filter((name) => !after.has(name)),
    );
  else if (!isNew) notifications.retractAllMentions(post.id);
  for (const name of possibleMentions(body)) {
    const accountId = after.has(name) && !before.has(name) ? accounts.findMentioned(name)?.id : undefined;
    if (accountId === undefined || accountId === post.authorId) continue;
    // The text that mentioned it before has expired, but the notification has not.
    retract(notifications.mentions.find(post.id, accountId));
    const details = { recipientId: accountId, sourceId: post.authorId, postId: post.id };
    const notificationId = notifyUnlessMuted(changeset, time, 'mention', details);
    if (notificationId !== undefined) notifications.mentions.put({ postId: post.id, accountId, notificationId });
  }
}

/**
 * Stores the text of a post. One that is patched expires with the text that the patches began from.
 *
 * @returns undefined for a patch that does not apply, or of an expired text, whose mentions are unknown
 */
function replaceText(
  { notifications: { retention }, posts: { texts } }: Changeset,
  time: Date,
  post: Post,
  body: string,
): { before: string | undefined; after: string } | undefined {
  const stored = texts.find(post.id);
  const previous = stored && stored.written >= retention.expiry(time) ? stored : undefined;
  const hunks = findHunks(body);
  if (hunks === undefined) {
    texts.put({ postId: post.id, written: time, body });
    return { before: previous?.body, after: body };
  }
  const after = previous && applyHunks(previous.body, hunks);
  if (previous === undefined || after === undefined) return undefined;
  texts.put({ ...previous, body: after });
  return { before: previous.body, after };
}
