import { type Chat } from '@waggle/client';
import { type HeardMessage } from '../observation';
import { type Fetched, toHeard } from './held-messages';
import { untilAnswered } from './until-answered';

/**
 * What the account has missed, by REST. Asks until the service answers.
 *
 * @param followed channels that it hears without being a member, which no list contains
 * @param heldUpTo the greatest place that is held of a conversation
 * @throws what the library throws when asking again is of no use
 */
export async function fetchMissed(
  chat: Chat,
  followed: readonly string[],
  heldUpTo: (conversationId: string) => number,
): Promise<Fetched[]> {
  const { conversations } = await untilAnswered(chat, () => chat.fetchState());
  const channels = await untilAnswered(chat, () => chat.api.conversationsById(followed, { extended: true }));
  const fetched: Fetched[] = [];
  for (const { id, last_seq: upTo } of [...conversations, ...channels]) {
    const messages = await untilAnswered(chat, () => between(chat, id, heldUpTo(id), upTo));
    fetched.push({ conversationId: id, upTo, messages });
  }
  return fetched;
}

/** The messages after one place and up to another, in order. */
async function between(chat: Chat, conversationId: string, after: number, upTo: number): Promise<HeardMessage[]> {
  const found: HeardMessage[] = [];
  if (upTo <= after) return found;
  for await (const message of chat.api.history(conversationId, { extended: true, pageSize: 200 })) {
    if (message.seq <= after) break;
    if (message.seq <= upTo) found.push(toHeard(message, message.seq));
  }
  return found.reverse();
}
