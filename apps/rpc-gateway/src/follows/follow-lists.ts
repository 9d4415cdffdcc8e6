/** The lists of an account that another account may be on; each is a bit of `follow.lists`. */
export const followLists = {
  follows: 1,
  /** Muted accounts. */
  ignores: 2,
  blacklists: 4,
  /** Accounts whose blacklist it follows. */
  followsBlacklists: 8,
  /** Accounts whose mute list it follows. */
  followsMuted: 16,
} as const;
