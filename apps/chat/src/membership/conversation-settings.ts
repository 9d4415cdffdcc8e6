import { type ChatLimits } from '@waggle/contracts';

export interface ConversationSettings {
  readonly limits: Pick<ChatLimits, 'groupMembers' | 'nameCharacters'>;
  /** Accounts that moderate every channel. */
  readonly admins: readonly string[];
}

/** Injects the `ConversationSettings`. */
export const CONVERSATION_SETTINGS = Symbol('ConversationSettings');
