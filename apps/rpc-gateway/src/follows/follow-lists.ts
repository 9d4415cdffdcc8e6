/** The lists of an account that another may be on; each has a bit of its own in `follow.lists`. */
export const followLists = {
  /** Whom it follows. */
  follows: 1,
  /** Whom it has muted. */
  ignores: 2,
  blacklists: 4,
  /** Whose blacklist it follows. */
  followsBlacklists: 8,
  /** Whose mute list it follows. */
  followsMuted: 16,
} as const;
