/** The roles of an account in a conversation, in ascending order. */
const roles = ['none', 'member', 'moderator', 'creator'] as const;
export type Role = (typeof roles)[number];

/** Returns whether a role is at least another one. */
export function isAtLeast(role: Role, min: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(min);
}

/** Returns whether a role is above another one. Removing an account also requires a moderator: see `MembershipService.removeMember`. */
export function outranks(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}
