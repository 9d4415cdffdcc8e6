import { reputationScore } from '../accounts/reputation';
import { type NotificationType } from '../notifications/notification-types';
import { type Book } from './book/book';
import { type Telling } from './book/notifications';
import { type Moment } from './effects';

type News = Partial<Omit<Telling, 'recipientId' | 'sourceId'>> & { readonly recipientId: number };

/**
 * Tells one account of another's doing, or the chain's; nobody is told of their own.
 *
 * @returns the id, which counts also where nobody is told; undefined where what is so old is told to nobody
 */
export function tell(
  { notifications }: Book,
  { time }: Moment,
  type: NotificationType,
  news: News & Pick<Telling, 'sourceId' | 'score'>,
): bigint | undefined {
  const id = notifications.nextId(type, time);
  // An error is the community's answer, also to the account that it is.
  const isOwn = news.sourceId === news.recipientId && type !== 'error';
  if (id !== undefined && !isOwn && news.score > 0) {
    const { postId = null, subjectId = postId } = news;
    notifications.put(id, { communityId: null, payload: null, ...news, postId, subjectId });
  }
  return id;
}

/** The same of what those who have muted the source do not want to hear of. Scored by its reputation, unless a score is given. */
export function tellUnlessMuted(
  book: Book,
  moment: Moment,
  type: NotificationType,
  news: News & { readonly sourceId: number; readonly score?: number },
): bigint | undefined {
  const { recipientId, sourceId, score = scoreOf(book, sourceId) } = news;
  const isMuted = book.follows.isMuted(recipientId, sourceId);
  return tell(book, moment, type, { ...news, score: isMuted ? 0 : score });
}

/** How much what an account does may interest, by its reputation; not told where it is 0 or less. */
export function scoreOf({ accounts }: Book, accountId: number): number {
  return reputationScore(accounts.findById(accountId)?.reputation ?? null);
}
