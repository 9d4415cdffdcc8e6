/** The position of each type is its number in the ids of notifications: add new ones at the end. */
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

/** The number of a type in ids, from 1. */
export function numberOfType(type: NotificationType): number {
  return notificationTypes.indexOf(type) + 1;
}
