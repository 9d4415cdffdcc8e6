import { type RowIn } from '@waggle/service';
import { typeAndTimeOf } from './notification-id';
import { type NotificationType } from './notification-types';
import { type accountNotifications } from './notifications.statements';

/** A row of the statements; the id is null if an account has no notifications. */
export type NotificationRow = RowIn<typeof accountNotifications>;

/** The names and texts in the message of a notification. */
interface MessageParts {
  readonly payload: string;
  readonly source: string;
  readonly recipient: string;
  readonly others: number;
}

const messages: Readonly<Record<NotificationType, (parts: MessageParts) => string>> = {
  new_community: ({ recipient }) => `@${recipient} was created`,
  set_role: ({ source, payload }) => `@${source} set your role to ${payload}`,
  set_props: ({ source, payload }) => `@${source} set properties ${payload}`,
  set_title: ({ source, payload }) => `@${source} set your title to ${payload}`,
  mute_post: ({ source, payload }) => `@${source} muted your post - ${payload}`,
  unmute_post: ({ source, payload }) => `@${source} unmuted your post - ${payload}`,
  pin_post: ({ source }) => `@${source} pinned your post`,
  unpin_post: ({ source }) => `@${source} unpinned your post`,
  flag_post: ({ source, payload }) => `@${source} flagged a post - ${payload}`,
  error: ({ payload }) => `error: ${payload}`,
  subscribe: ({ source, payload }) => `@${source} subscribed to ${payload}`,
  reply: ({ source }) => `@${source} replied to your post`,
  reply_comment: ({ source }) => `@${source} replied to your comment`,
  reblog: ({ source }) => `@${source} reblogged your post`,
  follow: ({ source }) => `@${source} followed you`,
  mention: ({ source, others }) => `@${source} mentioned you and ${others} others`,
  vote: ({ source, payload }) => `@${source} voted on your post${payload && ` ${payload}`}`,
};

/** Formats the items as JSON. */
export function itemsJson(rows: readonly NotificationRow[]): string {
  return `[${rows.flatMap((row) => (row.id === null ? [] : itemJson(row.id, row))).join(',')}]`;
}

/** Formats an item as JSON. Its id has too many digits for a JavaScript number. */
export function itemJson(
  id: string,
  { score, payload, source, recipient, community, author, permlink, mentioned }: NotificationRow,
): string {
  const { type, time } = typeAndTimeOf(BigInt(id));
  const parts = {
    payload: payload ?? '',
    source: source ?? '',
    recipient: recipient ?? '',
    others: (mentioned ?? 1) - 1,
  };
  const url = urlOf({
    community,
    post: permlink === null ? undefined : `${author}/${permlink}`,
    account: source ?? recipient,
  });
  const rest = { type, score, date: time.toISOString().slice(0, 19), msg: messages[type](parts), url };
  return `{"id":${id},${JSON.stringify(rest).slice(1)}`;
}

/** The page that a client opens: the post, otherwise the community, otherwise the account. */
function urlOf({
  post,
  community,
  account,
}: {
  post: string | undefined;
  community: string | null;
  account: string | null;
}): string {
  if (post !== undefined) return `@${post}`;
  return community === null ? `@${account}` : `c/${community}`;
}
