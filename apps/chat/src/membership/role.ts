/** The roles of an account in a conversation, in ascending order. */
const roles = ['none', 'member', 'moderator', 'creator'] as const;
export type Role = (typeof roles)[number];

/** Returns whether a role is at least another one. */
export function isAtLeast(role: Role, min: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(min);
}
