import { parsePatch } from '../../posts/text-patch';
import { type MentionEntity } from '../../notifications/mention.entity';
import { type Changeset } from '../changeset/changeset';
import { type Notifications } from '../changeset/notifications';
import { type Post } from '../changeset/posts';
import { storeText, type WrittenBody } from './store-text';
import { notifyUnlessMuted } from '../changeset/notification-rules';

/**
 * Matches `@name`, unless it continues a word, a link or an e-mail address. The name ends before a full stop that ends
 * a sentence, and after 17 characters at most.
 */
const mentionPattern = /(?<![a-zA-Z0-9_!#$%&*@\\/])@([a-zA-Z0-9.-]{1,16}[a-zA-Z0-9])(?![a-z])/g;

/** Returns the distinct names that a text mentions, in lower case. The accounts may not exist. */
function mentionedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(mentionPattern)].map(([, name = '']) => name.toLowerCase()));
}

/**
 * Returns the names that a body may newly mention. They do not include a name of which a patch contains only a part,
 * because it changes the middle of the name.
 */
export function possibleMentions(body: string): ReadonlySet<string> {
  const hunks = parsePatch(body);
  return mentionedNames(hunks === undefined ? body : hunks.map(({ after }) => after).join('\n'));
}

/** The names that a post mentions before and after an operation. */
interface NameChange {
  /** The names before; undefined if the text before has expired, empty for a new post. */
  readonly before: ReadonlySet<string> | undefined;
  readonly after: ReadonlySet<string>;
}

/**
 * Notifies newly mentioned accounts other than the author, and retracts the notifications of accounts that are no
 * longer mentioned. A mention is new if the text before does not contain it. An expired text counts as unknown, so that
 * no notification depends on operations older than the retention.
 */
export function updateMentions(changeset: Changeset, time: Date, written: WrittenBody): void {
  const { retention } = changeset.notifications;
  if (!retention.storesTexts(time)) return;
  const texts = storeText(changeset, time, written);
  if (texts === undefined || !retention.createsNotifications(time)) return;
  const names = {
    before: texts.before === undefined ? undefined : mentionedNames(texts.before),
    after: mentionedNames(texts.after),
  };
  retractRemoved(changeset, written.post, names);
  notifyAdded(changeset, time, written, names);
}

/** Retracts the notifications of accounts that a post no longer mentions. */
function retractRemoved({ accounts, notifications }: Changeset, post: Post, { before, after }: NameChange): void {
  for (const mention of notifications.mentions.ofGroup(post.id))
    if (!after.has(accounts.findById(mention.accountId)?.name ?? '')) retract(notifications, mention);
  // Of the stored mentions, the batch has loaded only those of accounts that a body may newly mention.
  if (before === undefined) notifications.retractAllUnloadedMentions(post.id);
  else {
    const removed = [...before].filter((name) => !after.has(name));
    notifications.retractUnloadedMentions(post.id, removed);
  }
}

/** Notifies the accounts that a post newly mentions. */
function notifyAdded(
  changeset: Changeset,
  time: Date,
  { post, body }: WrittenBody,
  { before, after }: NameChange,
): void {
  const { accounts, notifications } = changeset;
  for (const name of possibleMentions(body)) {
    const isAdded = after.has(name) && before?.has(name) !== true;
    const accountId = isAdded ? accounts.findMentioned(name)?.id : undefined;
    if (accountId === undefined || accountId === post.authorId) continue;
    // If the text before has expired, the account may have a notification from an earlier mention.
    const earlier = notifications.mentions.find(post.id, accountId);
    if (earlier !== undefined) retract(notifications, earlier);
    const details = { recipientId: accountId, sourceId: post.authorId, postId: post.id };
    const notificationId = notifyUnlessMuted(changeset, time, 'mention', details);
    if (notificationId !== undefined) notifications.mentions.put({ postId: post.id, accountId, notificationId });
  }
}

function retract(notifications: Notifications, mention: Readonly<MentionEntity>): void {
  notifications.mentions.remove(mention);
  notifications.retract(mention.notificationId);
}
