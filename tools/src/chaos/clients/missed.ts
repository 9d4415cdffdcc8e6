import { type Chat } from '@waggle/client';
import { type HeardMessage } from '../observation';
import { toHeard } from './held-messages';

/**
 * The messages that the account has missed, by REST, those of a conversation in order. Asks until the service answers.
 *
 * @param followed channels that it hears without being a member, which no list contains
 * @param heldUpTo the greatest place that is held of a conversation
 * @throws what the library throws when asking again is of no use
 */
export async function fetchMissed(
  chat: Chat,
  followed: readonly string[],
  heldUpTo: (conversationId: string) => number,
): Promise<HeardMessage[]> {
  const state = await chat.untilAnswered(() => chat.fetchState({ followed }));
  const fetched: HeardMessage[] = [];
  for (const { id, last_seq: upTo } of [...state.conversations, ...state.followed]) {
    fetched.push(...(await chat.untilAnswered(() => between(chat, id, heldUpTo(id), upTo))));
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
