export type ViolationKind =
  | 'acknowledged-not-stored'
  /** Acknowledged with another sequence number, id or conversation than stored. */
  | 'acknowledgment-differs'
  | 'rejected-but-stored'
  /** Still pending at the end, after everything recovered. */
  | 'no-result'
  | 'stored-twice'
  /** Not sent, or sent by another account. */
  | 'stored-unsent'
  /** Of two messages of one sender, the later one is stored first. */
  | 'stored-out-of-order'
  /** The times in a conversation do not increase. */
  | 'stored-time'
  /** Stored but not received. */
  | 'lost'
  | 'duplicate'
  | 'out-of-order'
  /** Received but not stored. */
  | 'phantom'
  /** Received and then lost by the database, but the connection was not closed. */
  | 'diverged'
  /** Received with another sequence number, tag or time than stored. */
  | 'content-differs'
  /** The account does not subscribe to the conversation. */
  | 'not-subscribed'
  /** The stored value is none that the changes can have left. */
  | 'value-differs'
  /** A confirmed edit is not stored. */
  | 'edit-lost'
  /** A stored edit was not sent, rejected, or is stored twice. */
  | 'edit-unsent'
  /** Other accounts are mentioned than by the text and the reply. */
  | 'mention-differs'
  /** A device shows something else than it fetches. */
  | 'state-differs'
  /** A device fetches something else than is stored. */
  | 'fetched-differs';

export interface Violation {
  kind: ViolationKind;
  /** The client, connection or sender that observed it, or `database`. */
  observer: string;
  conversationId: string;
  tag: string;
  detail: string;
}
