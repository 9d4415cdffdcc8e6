/** What accounts are told of, each at the place of its number in ids. */
export const notificationTypes = [
  'new_community',
  'set_role',
  'set_props',
  'set_title',
  'mute_post',
  'unmute_post',
  'pin_post',
  'unpin_post',
  'flag_post',
  'error',
  'subscribe',
  'reply',
  'reply_comment',
  'reblog',
  'follow',
  'mention',
  'vote',
] as const;

export type NotificationType = (typeof notificationTypes)[number];

/** From 1 on. */
export function numberOfType(type: NotificationType): number {
  return notificationTypes.indexOf(type) + 1;
}
