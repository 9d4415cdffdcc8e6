import { newIdentifier } from '@waggle/service';
import { ChatError, notThere } from '../errors';
import { type Entry } from '../log/entry';

/** A message to store. */
export interface NewMessage {
  id: string;
  conversationId: string;
  sender: string;
  content: string;
  /** The idempotency key of the client: a message of the same sender, conversation and key is stored once. */
  clientId: string | null;
}

/** What a client says in a message. */
export type MessageContent = Pick<NewMessage, 'content' | 'clientId'>;

/** Why an account may not write into a conversation. */
export type Refusal = 'not-found' | 'blocked' | 'friends-only' | 'banned';

/** What has become of a message: its entries, that by which its sender joins included; `repeated` if it was stored before. */
export type SendResult = { outcome: 'stored' | 'repeated'; entries: readonly Entry[] } | { outcome: Refusal };

/** Gives a message its identifier here, so that nothing depends on the order in which rows come back. */
export function newMessage(sender: string, message: Omit<NewMessage, 'id' | 'sender'>): NewMessage {
  return { id: newIdentifier(), sender, ...message };
}

const refusals: Record<Refusal, () => ChatError> = {
  'not-found': notThere,
  banned: () => new ChatError('forbidden', 'you were removed from this channel'),
  blocked: () => new ChatError('blocked', 'one of you has blocked the other'),
  'friends-only': () => new ChatError('friends-only', 'this account takes direct messages from friends only'),
};

export function isRefusal(outcome: string): outcome is Refusal {
  return Object.hasOwn(refusals, outcome);
}

/** Returns the error that the sender of a refused message gets. */
export function refused(refusal: Refusal): ChatError {
  return refusals[refusal]();
}
