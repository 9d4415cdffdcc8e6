import { newIdentifier } from '@waggle/service';
import { type Entry } from '../log/entry';
import { type MessageBody } from '../log/message-body';
import { type WriteError } from './authorize-messages';

/** A message to store. */
export interface NewMessage extends MessageBody {
  id: string;
  conversationId: string;
  sender: string;
  /** The idempotency key of the client: a message of the same sender, conversation and key is stored once. */
  clientId: string | null;
  /** Identifies the conversation and the sender, for caches of what the sender may write. */
  writerKey: string;
}

/** The text and idempotency key of a message: what is known before the conversation exists. */
export type MessageContent = MessageBody & Pick<NewMessage, 'clientId'>;

/** Returns a message with a new identifier. */
export function newMessage(sender: string, conversationId: string, content: MessageContent): NewMessage {
  return { id: newIdentifier(), conversationId, sender, writerKey: `${conversationId} ${sender}`, ...content };
}

/**
 * The result of sending a message. Its own entry is the last; before it come those of the change that it made, such as the join of its
 * sender. `repeated` means that the message had been stored before, perhaps without the entries of its change.
 */
export type SendResult = { outcome: 'stored' | 'repeated'; entries: readonly Entry[] } | { outcome: WriteError };

/** Returns a rejected promise that may be awaited late, without an unhandled rejection. */
export function rejected(error: unknown): Promise<never> {
  const rejection = Promise.reject(error instanceof Error ? error : new Error(String(error)));
  rejection.catch(() => undefined);
  return rejection;
}
