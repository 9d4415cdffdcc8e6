import { reputationScore } from '../../accounts/reputation';
import { type NotificationType } from '../../notifications/notification-types';
import { type Changeset } from './changeset';
import { type NewNotification } from './notifications';

type NotificationDetails = Partial<Omit<NewNotification, 'recipientId' | 'sourceId'>> & {
  readonly recipientId: number;
};

/**
 * Creates a notification, unless the recipient is its source or the score is 0.
 *
 * @returns the id, which is used up even if no notification is created; undefined if the block is too old or has no ids
 * left
 */
export function notify(
  { notifications }: Changeset,
  time: Date,
  type: NotificationType,
  details: NotificationDetails & Pick<NewNotification, 'sourceId' | 'score'>,
): bigint | undefined {
  const id = notifications.takeId(type, time);
  // An error of a community goes to the signer even if that is the community's own account.
  const isOwn = details.sourceId === details.recipientId && type !== 'error';
  if (id !== undefined && !isOwn && details.score > 0) {
    const { postId = null, subjectId = postId } = details;
    notifications.put(id, { communityId: null, payload: null, ...details, postId, subjectId });
  }
  return id;
}

/**
 * Does the same as `notify`, unless the recipient muted the source. The default score follows from the source's
 * reputation.
 */
export function notifyUnlessMuted(
  changeset: Changeset,
  time: Date,
  type: NotificationType,
  details: NotificationDetails & { readonly sourceId: number; readonly score?: number },
): bigint | undefined {
  const { recipientId, sourceId, score = scoreOf(changeset, sourceId) } = details;
  const isMuted = changeset.follows.isMuted(recipientId, sourceId);
  return notify(changeset, time, type, { ...details, score: isMuted ? 0 : score });
}

/** The score of a notification by the reputation of its source; 0 or less suppresses it. */
export function scoreOf({ accounts }: Changeset, accountId: number): number {
  return reputationScore(accounts.findById(accountId)?.reputation ?? null);
}
