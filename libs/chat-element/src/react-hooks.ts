import {
  type ChatClient,
  type ChatMessage,
  type ClientState,
  type ConversationData,
  type ConnectionStatus,
  type Phase,
  sharedClient,
} from '@waggle/chat-element';
import * as React from 'react';
import { reportedCount } from './store/conversation-changes';
import { sortedConversations } from './store/conversation-order';

/** The chat of the account that is signed in. */
export interface ChatResult {
  phase: Phase;
  connection: ConnectionStatus;
  /** Undefined if nobody is signed in. */
  account: string | undefined;
  /** In the order of the list. */
  conversations: readonly ConversationData[];
  /** What else can be done, such as signing out. Undefined on a server. */
  client: ChatClient | undefined;
}

export interface ConversationResult {
  /** Undefined while it is unknown, or if the account is not in it. */
  conversation: ConversationData | undefined;
  /** The loaded messages, in ascending order. */
  messages: readonly ChatMessage[];
  isLoading: boolean;
  hasOlder: boolean;
  /** Loads the page before the loaded messages. */
  loadOlder: () => void;
  /** Sends a message. It is in `messages` as soon as the service has stored it. */
  send: (text: string, options?: { replyTo?: string }) => void;
  /** Marks all messages of the conversation as read. */
  markRead: () => void;
}

const isBrowser = typeof document !== 'undefined';
const emptyMessages: readonly ChatMessage[] = [];

/**
 * The chat of a service, which elements with the same `server` share. On a server, and for the first rendering in the
 * browser, its phase is `starting`.
 *
 * @param server address of the service; by default the origin of the page
 */
export function useChat(server = ''): ChatResult {
  const client = isBrowser ? sharedClient(server === '' ? location.origin : server) : undefined;
  const state = useClientState(client);
  const conversations = React.useMemo(
    () => sortedConversations(state?.data.conversations ?? new Map()),
    [state?.data.conversations],
  );
  return {
    phase: state?.phase ?? 'starting',
    connection: state?.connection ?? 'connecting',
    account: state?.data.account || undefined,
    conversations,
    client,
  };
}

/** Returns the number of unread messages; of muted conversations only mentions count. */
export function useUnread(server = ''): number {
  const { conversations } = useChat(server);
  return conversations.reduce((sum, conversation) => sum + reportedCount(conversation), 0);
}

/** Opens a conversation at its first unread message, and keeps it current. */
export function useConversation(id: string, server = ''): ConversationResult {
  const { client, phase } = useChat(server);
  const data = client?.store.state.data;
  const live = phase === 'ready' ? client?.live : undefined;
  React.useEffect(() => {
    void live?.history.open(id);
  }, [live, id]);
  const window = data?.windows.get(id);
  const conversation = data?.conversations.get(id);
  return {
    conversation,
    messages: window?.messages ?? emptyMessages,
    isLoading: window === undefined || window.loading !== undefined,
    hasOlder: window !== undefined && window.startSeq > 0,
    loadOlder: () => void live?.history.older(id),
    send: (text, { replyTo } = {}) => live?.messages.send(id, text, replyTo),
    markRead: () => conversation && live?.messages.acknowledge(id, conversation.lastSeq),
  };
}

function useClientState(client: ChatClient | undefined): ClientState | undefined {
  const subscribe = React.useCallback(
    (onChange: () => void) => client?.store.subscribe(onChange) ?? (() => undefined),
    [client],
  );
  return React.useSyncExternalStore(
    subscribe,
    () => client?.store.state,
    () => undefined,
  );
}
