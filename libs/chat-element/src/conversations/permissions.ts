import type { ConversationData } from '../store/chat-data';

const ranks = { none: 0, member: 1, moderator: 2, creator: 3 } as const;

type Role = keyof typeof ranks;

type Roles = Pick<ConversationData, 'type' | 'creator' | 'members' | 'moderators'>;

export function roleIn({ creator, members, moderators }: Roles, account: string): Role {
  if (account === creator) return 'creator';
  if (moderators.includes(account)) return 'moderator';
  return members.includes(account) ? 'member' : 'none';
}

/** The creator first, then moderators; accounts of the same role by name. */
export function byRole(accounts: readonly string[], conversation: Roles): string[] {
  const rankOf = (account: string) => ranks[roleIn(conversation, account)];
  return [...accounts].sort((a, b) => rankOf(b) - rankOf(a) || (a < b ? -1 : 1));
}

/**
 * What an account may do in a conversation: in a dm both may pin, and the rest is for groups and channels. The service
 * decides: this is what to offer.
 */
export function permissionsIn(conversation: Roles, account: string) {
  const isShared = conversation.type !== 'dm';
  const role = roleIn(conversation, account);
  return {
    canRename: isShared && role === 'creator',
    canAddMembers: isShared && ranks[role] >= ranks.moderator,
    canAppoint: isShared && role === 'creator',
    canPin: !isShared || ranks[role] >= ranks.moderator,
    canMentionAll: isShared && ranks[role] >= ranks.moderator,
    canDeleteAll: isShared && ranks[role] >= ranks.moderator,
    canRemove: (member: string): boolean =>
      isShared &&
      member !== account &&
      ranks[role] >= ranks.moderator &&
      ranks[role] > ranks[roleIn(conversation, member)],
  };
}
