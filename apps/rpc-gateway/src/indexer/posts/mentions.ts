import { mentionedNames } from '../../posts/mentioned-names';
import { applyHunks, findHunks } from '../../posts/text-patch';
import { type Book } from '../book/book';
import { type Post } from '../book/posts';
import { type Moment } from '../effects';
import { tellUnlessMuted } from '../telling';

/** Whether a body says only what it changes of the text before. */
export function isChange(body: string): boolean {
  return findHunks(body) !== undefined;
}

/** Whom a body may name from now on. Of an edit: a name that it changes farther inside than it shows is not among them. */
export function namesIn(body: string): ReadonlySet<string> {
  const hunks = findHunks(body);
  return mentionedNames(hunks === undefined ? body : hunks.map(({ after }) => after).join('\n'));
}

/** Tells those whom the post names from now on, and takes back what those were told whom it no longer names. */
export function mention(book: Book, moment: Moment, post: Post, body: string): void {
  const { accounts, notifications, posts } = book;
  if (!notifications.isKept(moment.time)) return;
  const text = textAfter(posts.texts.find(post.id)?.body, body);
  // An edit of a text that is not known any more: whom it names is not known either.
  if (text === undefined) return;
  posts.texts.put({ postId: post.id, written: moment.time, body: text });

  const named = new Set([...mentionedNames(text)].flatMap((name) => accounts.find(name)?.id ?? []));
  const former = notifications.mentionsOf(post.id);
  for (const each of former) {
    if (named.delete(each.accountId)) continue;
    notifications.mentions.remove(each);
    notifications.takeBack(each.notificationId);
  }
  for (const accountId of named) {
    const news = { recipientId: accountId, sourceId: post.authorId, postId: post.id };
    const notificationId = tellUnlessMuted(book, moment, 'mention', news);
    if (notificationId !== undefined) notifications.mentions.put({ postId: post.id, accountId, notificationId });
  }
}

/** A body may say only what it changes of the text before. */
function textAfter(before: string | undefined, body: string): string | undefined {
  const hunks = findHunks(body);
  if (hunks === undefined) return body;
  return before === undefined ? undefined : applyHunks(before, hunks);
}
