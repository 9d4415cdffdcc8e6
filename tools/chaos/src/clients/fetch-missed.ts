import { type Chat } from '@waggle/client';
import { type ReceivedMessage } from '../observation';
import { type ReceivedMessages, toReceivedMessage } from './received-messages';

/**
 * Messages received longer ago than this are taken as stored. A failover to an asynchronous standby may have lost newer
 * ones: it loses commits of the last seconds, and is noticed within seconds.
 */
const stableAfterMs = 60_000;

export interface Fetched {
  /** By conversation: messages after this sequence number are replaced. */
  stableSeqs: Map<string, number>;
  /** The stored messages after it, in order. */
  messages: ReceivedMessage[];
}

/**
 * Reads each conversation over REST, from the end back to a stable message. Retries until the service responds.
 *
 * @param followed channels without the account as a member, which no list contains
 * @throws what the library throws if a retry cannot help
 */
export async function fetchMissed(
  chat: Chat,
  followed: readonly string[],
  received: ReceivedMessages,
): Promise<Fetched> {
  const state = await chat.retryWhileUnreachable(() => chat.fetchState({ followed }));
  const fetched: Fetched = { stableSeqs: new Map(), messages: [] };
  for (const { id, last_seq: lastSeq } of [...state.conversations, ...state.followed]) {
    const { stableSeq, messages } = await chat.retryWhileUnreachable(() =>
      fetchConversation(chat, id, lastSeq, received),
    );
    fetched.stableSeqs.set(id, stableSeq);
    fetched.messages.push(...messages);
  }
  return fetched;
}

async function fetchConversation(chat: Chat, conversationId: string, lastSeq: number, received: ReceivedMessages) {
  const messages: ReceivedMessage[] = [];
  for await (const message of chat.api.history(conversationId, { extended: true, pageSize: 200 })) {
    const { seq } = message;
    if (received.hasHeld(conversationId, message, stableAfterMs))
      return { stableSeq: seq, messages: messages.reverse() };
    // Later ones arrive as events.
    if (seq <= lastSeq) messages.push(toReceivedMessage(message, seq));
  }
  return { stableSeq: 0, messages: messages.reverse() };
}
