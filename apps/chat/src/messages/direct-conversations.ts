import { type MessageContent } from '../log/append-messages';
import { type FrameRequest } from '../realtime/frame-request';

/** The direct conversations of accounts, implemented by the feature `conversations`, which depends on this one. */
export abstract class DirectConversations {
  /**
   * Sends a message of the caller to another account. Creates the direct conversation if the two have none.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `friends-only`, `unavailable`; `conflict` if
   * another message has the idempotency key
   */
  abstract sendDm(recipient: string, content: MessageContent, origin: FrameRequest): Promise<void>;
}
