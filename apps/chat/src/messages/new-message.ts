import { newIdentifier } from '@waggle/service';
import { type MessageBody } from '../log/message-body';

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
