export interface MessagesSettings {
  /** How long after it was sent a message can be edited, in milliseconds. */
  readonly editWindowMs: number;
  /** Whether former texts of edited messages are kept, and readable by those who may read the message. */
  readonly keepsRevisions: boolean;
  /** Members of groups up to this size see how far the others have read; 0 turns that off. */
  readonly receiptMembers: number;
  /** Hosts on which attachments may be, with a port unless it is 443. */
  readonly attachmentHosts: readonly string[];
}

/** Injects the `MessagesSettings`. */
export const MESSAGES_SETTINGS = Symbol('MessagesSettings');
