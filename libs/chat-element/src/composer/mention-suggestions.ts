import { permissionsIn } from '../conversations/permissions';
import type { Texts } from '../i18n/en';
import type { ChatMessage, ConversationData } from '../store/chat-data';
import { avatar } from '../theme/avatar';
import { icon } from '../theme/icons';
import type { Suggestion } from './suggestions';

interface MentionOptions {
  account: string;
  /** The loaded messages, the newest last. */
  messages: readonly ChatMessage[];
  avatars: string | undefined;
  texts: Texts;
}

/** Returns the other members, the most recent senders first, and `@all` for moderators. */
export function mentionSuggestions(
  conversation: ConversationData,
  { account, messages, avatars, texts }: MentionOptions,
): Suggestion[] {
  const { type, members } = conversation;
  const senders = messages
    .map(({ from }) => from)
    .filter((name) => type === 'channel' || members.includes(name))
    .reverse();
  const others = new Set([...senders, ...members]);
  others.delete(account);
  const people = Array.from(others, (name) => ({
    text: `@${name} `,
    label: name,
    picture: avatar(name, { size: 'small', pattern: avatars }),
  }));
  const all = { text: '@all ', label: `all (${texts.mentionEveryone})`, picture: icon('people') };
  return permissionsIn(conversation, account).canMentionAll ? [...people, all] : people;
}
