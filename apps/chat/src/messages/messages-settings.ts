export interface MessagesSettings {
  /** How long after it was sent a message can be edited, in milliseconds. */
  readonly editWindowMs: number;
  /** Whether former texts of edited messages are kept, and readable by those who may read the message. */
  readonly keepsRevisions: boolean;
}

/** Injects the `MessagesSettings`. */
export const MESSAGES_SETTINGS = Symbol('MessagesSettings');
