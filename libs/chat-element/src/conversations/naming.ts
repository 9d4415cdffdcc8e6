import type { ConversationData } from '../store/chat-data';
import type { Language } from '../i18n/texts';

/** The other account of a dm, or the account itself if it writes to itself. */
export function otherAccount({ members }: Pick<ConversationData, 'members'>, account: string): string {
  return members.find((member) => member !== account) ?? account;
}

/** What a conversation is called: by its name, or by its other members. */
export function titleOf(conversation: ConversationData, account: string, { texts, formats }: Language): string {
  if (conversation.type === 'dm') return otherAccount(conversation, account);
  if (conversation.name !== undefined && conversation.name !== '') return conversation.name;
  const others = conversation.members.filter((member) => member !== account);
  const [first, second, third, ...rest] = others;
  if (first === undefined) return conversation.type === 'channel' ? texts.channel : texts.group;
  const names = [first, second, third].filter((name) => name !== undefined);
  return rest.length === 0 ? formats.list(names) : `${names.join(', ')} +${formats.number(rest.length)}`;
}

/** Says which accounts are typing, and names at most three. @returns undefined if none is */
export function typingText(accounts: readonly string[], { texts, formats }: Language): string | undefined {
  if (accounts.length === 0) return undefined;
  const names = formats.list(accounts.slice(0, 3));
  return accounts.length === 1 ? texts.typing(names) : texts.typingSeveral(names);
}
