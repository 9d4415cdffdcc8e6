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
  | 'not-subscribed';

export interface Violation {
  kind: ViolationKind;
  /** The client, connection or sender that observed it, or `database`. */
  observer: string;
  conversationId: string;
  tag: string;
  detail: string;
}
