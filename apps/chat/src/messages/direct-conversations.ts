import { type FrameRequest } from '../realtime/frame-request';
import { type MessageContent } from '../log/append-messages';

/** The direct conversations of accounts, implemented by the feature `conversations`, which depends on this one. */
export abstract class DirectConversations {
  /**
   * Sends a message of the caller to another account. Creates the direct conversation if the two have none.
   *
   * @throws ChatError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if another
   * message has the idempotency key
   */
  abstract sendDm(other: string, content: MessageContent, origin: FrameRequest): Promise<void>;
}
