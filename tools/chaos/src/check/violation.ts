/** What must not be. */
export type ViolationKind =
  /** Acknowledged, and not stored. */
  | 'acknowledged-not-stored'
  /** The sender was told of another place, identifier or conversation than it is stored with. */
  | 'acknowledged-otherwise'
  /** Refused for good, and stored. */
  | 'refused-and-stored'
  /** Never answered, though everything was well in the end. */
  | 'unanswered'
  | 'stored-twice'
  /** Nobody has sent it, or another account. */
  | 'stored-unsent'
  /** Of two messages of one sender the later one is stored first. */
  | 'stored-out-of-order'
  /** Times of a conversation do not grow. */
  | 'stored-time'
  /** Stored, and not heard. */
  | 'lost'
  | 'doubled'
  | 'out-of-order'
  /** Heard, and not stored. */
  | 'phantom'
  /** Heard, lost by the database since then, and nobody has said so. */
  | 'diverged'
  /** Heard with another place, mark or time than it is stored with. */
  | 'heard-otherwise'
  /** Of a conversation that the account does not hear. */
  | 'overheard';

export interface Violation {
  kind: ViolationKind;
  /** The client, connection or sender that saw it; `database` where everybody does. */
  who: string;
  conversationId: string;
  mark: string;
  detail: string;
}
