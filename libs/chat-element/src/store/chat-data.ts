import type {
  Attachment,
  Conversation,
  Draft,
  FriendRequest,
  Message,
  MessageWithSeq,
  Pin,
  Settings,
} from '@waggle/client/browser';
import type { MessageWindow } from './message-window';

export type ChatMessage = MessageWithSeq;

/** The service counts no further. */
export const maxUnreadCount = 1_000;

/** A conversation as the account sees it. */
export interface ConversationData extends Conversation {
  /** Position of the last event that the conversation contained when it was fetched. */
  fetchedSeq: number;
  /** Position of the last event that arrived. Lower than `fetchedSeq` while events wait that were fetched already. */
  lastSeq: number;
  /** Number of unread messages of others. It ends at `maxUnreadCount`, as `mentionCount` does. */
  unreadCount: number;
  /** Number of unread mentions of this account, and replies to its messages. */
  mentionCount: number;
  /** The first unread message comes after this position. */
  readSeq: number;
  /** Position of the last event that `unreadCount` contains although it may arrive later. */
  countedSeq: number;
  lastMessage: Message | undefined;
  muted: boolean;
  favourite: boolean;
  /** In a dm: how far the other account has read. */
  receiptSeq: number;
  /** Whether the conversation has to be fetched because an event did not fully describe it. */
  isStale: boolean;
}

/** A conversation that the account is no longer in, as it was. */
export interface FormerConversation {
  conversation: ConversationData;
  /** The messages that were loaded. */
  window: MessageWindow;
}

export interface People {
  friends: readonly string[];
  /** Accounts that this account blocks. */
  blocked: readonly string[];
  /** Requests to this account. */
  requests: readonly FriendRequest[];
  /** Requests of this account: the service lists none, so these are the ones made in this browser. */
  sentRequests: readonly FriendRequest[];
}

/** A message of this account that the service has not stored yet. */
export interface OutgoingText {
  clientId: string;
  /** Undefined if it is the first message of a new conversation. */
  conversationId: string | undefined;
  /** The accounts of a new conversation. */
  recipients: readonly string[];
  text: string;
  /** Its files; undefined if there are none. */
  attachments?: readonly Attachment[] | undefined;
  /** Id of the message that it replies to. */
  replyTo: string | undefined;
  createdAtMs: number;
  /** Why it was not stored: an error code. It is still being sent if undefined. */
  failure: string | undefined;
  /** The stored message that is probably this one: its reply was lost, but the event arrived. */
  probableMessageId: string | undefined;
}

/** Everything that an account's chat contains. The service's part of it changes by events alone. */
export interface ChatData {
  account: string;
  conversations: ReadonlyMap<string, ConversationData>;
  /** The loaded part of the history of opened conversations. */
  windows: ReadonlyMap<string, MessageWindow>;
  /** Conversations that were removed after their messages were loaded. */
  former: ReadonlyMap<string, FormerConversation>;
  /** The pinned messages of opened conversations, as far as they are fetched. */
  pins: ReadonlyMap<string, readonly Pin[]>;
  /** How far the members of opened groups have read, by account, as far as it is fetched. */
  receipts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** What the service has of drafts, by conversation; with an empty text if it was deleted. See `Drafts`. */
  drafts: ReadonlyMap<string, Draft>;
  people: People;
  settings: Settings;
  /** Friends that are connected. */
  online: ReadonlySet<string>;
  /** By conversation: who types, and until when to show it. */
  typing: ReadonlyMap<string, ReadonlyMap<string, number>>;
  outgoing: readonly OutgoingText[];
}

export function emptyChatData(account: string): ChatData {
  return {
    account,
    conversations: new Map(),
    windows: new Map(),
    former: new Map(),
    pins: new Map(),
    receipts: new Map(),
    drafts: new Map(),
    people: { friends: [], blocked: [], requests: [], sentRequests: [] },
    settings: { dm: { only_from_friends: false } },
    online: new Set(),
    typing: new Map(),
    outgoing: [],
  };
}

/** Changes the data of an account that is signed in. */
export interface DataStore {
  readonly data: ChatData;
  update(change: (data: ChatData) => ChatData): void;
}
