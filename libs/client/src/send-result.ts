import type { Conversation, Message } from './contract';

/** A message as the service stored it. */
export interface StoredMessage extends Message {
  /** Its sequence number in the conversation; undefined on connections without `sync`. */
  seq: number | undefined;
}

export interface SendResult {
  message: StoredMessage;
  /** The conversation, if the message created it. */
  conversation: Conversation | undefined;
}
