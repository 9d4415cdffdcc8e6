/** What an account is in a conversation, the least first. */
const roles = ['none', 'member', 'moderator', 'creator'] as const;
export type Role = (typeof roles)[number];

/** Whether a role is another one or more. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** A moderator may act on members, a creator on moderators, nobody on an equal. */
export function outranks(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}
