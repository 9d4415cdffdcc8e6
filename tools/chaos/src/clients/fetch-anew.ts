import { type Chat } from '@waggle/client';
import { type HeardMessage } from '../observation';
import { type HeldMessages, toHeard } from './held-messages';

/**
 * What has been held for so long is taken for stored: a failover that lags loses what was committed seconds ago, and is noticed
 * within seconds. Until it is noticed a client may hear what is stored at later places than what was lost.
 */
const settledMs = 60_000;

/** What takes the place of what a client holds where the service cannot tell what it has missed. */
export interface Fetched {
  /** The place of each conversation up to which what is held stays. */
  kept: Map<string, number>;
  /** What comes after it, in order. */
  messages: HeardMessage[];
}

/**
 * Reads each conversation by REST, from its end back to what has been held for long. Asks until the service answers.
 *
 * @param followed channels that it hears without being a member, which no list contains
 * @throws what the library throws when asking again is of no use
 */
export async function fetchAnew(chat: Chat, followed: readonly string[], held: HeldMessages): Promise<Fetched> {
  const state = await chat.untilAnswered(() => chat.fetchState({ followed }));
  const fetched: Fetched = { kept: new Map(), messages: [] };
  for (const { id, last_seq: upTo } of [...state.conversations, ...state.followed]) {
    const { kept, messages } = await chat.untilAnswered(() => fetchConversation(chat, id, upTo, held));
    fetched.kept.set(id, kept);
    fetched.messages.push(...messages);
  }
  return fetched;
}

async function fetchConversation(chat: Chat, conversationId: string, upTo: number, held: HeldMessages) {
  const messages: HeardMessage[] = [];
  for await (const message of chat.api.history(conversationId, { extended: true, pageSize: 200 })) {
    const { seq, id } = message;
    if (held.hasHeld(conversationId, seq, id, settledMs)) return { kept: seq, messages: messages.reverse() };
    if (seq <= upTo) messages.push(toHeard(message, seq));
  }
  return { kept: 0, messages: messages.reverse() };
}
