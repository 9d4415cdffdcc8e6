/**
 * Reasons for muting a post, as the numbers of `muted_reasons` in public APIs. The index stores the first three, as
 * bits; the others follow from the reputation and the role of the author.
 */
export const mutedReasons = {
  MUTED_COMMUNITY_MODERATION: 0,
  MUTED_COMMUNITY_TYPE: 1,
  MUTED_PARENT: 2,
  MUTED_REPUTATION: 3,
  MUTED_ROLE_COMMUNITY: 4,
} as const;

/** Returns the bits of reasons, as the column `muted_reasons` has them. */
export function mutedBits(...reasons: readonly (keyof typeof mutedReasons)[]): number {
  return reasons.reduce((bits, reason) => bits | (1 << mutedReasons[reason]), 0);
}
