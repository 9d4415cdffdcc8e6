import { type MessageWithSeq, type Pin, type Reaction } from '@waggle/client';
import { type ShownConversation } from '@waggle/chat-element/headless';

/** What lists show of a conversation. */
interface Counts extends Pick<ShownConversation, 'unreadCount' | 'mentionCount' | 'members' | 'muted' | 'favourite'> {
  lastMessage: { id: string; content: string } | null | undefined;
}

/** Returns what a device shows of a conversation, see `Shown`. */
export function textsOf(
  { unreadCount, mentionCount, members, muted, favourite, lastMessage }: Counts,
  messages: readonly MessageWithSeq[],
  pins: readonly Pin[],
): Record<string, string> {
  return {
    unread: String(unreadCount),
    mentions: String(mentionCount),
    preferences: JSON.stringify({ muted, favourite }),
    members: members.toSorted().join(),
    last: `${lastMessage?.id} ${lastMessage?.content}`,
    pins: pins.map(({ id, content }) => `${id} ${content}`).join(),
    ...Object.fromEntries(
      messages.flatMap(({ id, content, revision = 0, reply_to: quote, mentions = [], reactions = [] }) => [
        [`text ${id}`, content],
        [`revision ${id}`, String(revision)],
        [`quote ${id}`, quote === undefined ? '' : `${quote.id} ${quote.from} ${quote.content}`],
        [`mentions ${id}`, mentions.map(({ offset, length, username }) => `${offset} ${length} ${username}`).join()],
        [`reactions ${id}`, reactionsText(reactions)],
      ]),
    ),
  };
}

/** Returns the reactions of a message as a text, in an order of its own. */
export function reactionsText(reactions: readonly Reaction[]): string {
  return reactions
    .map(({ emoji, count, own }) => `${emoji} ${count}${own ? ' own' : ''}`)
    .toSorted()
    .join();
}
