import {
  type ChatClient,
  type ChatMessage,
  type ClientState,
  type ConnectionStatus,
  type ConversationData,
  type OutgoingText,
  type Phase,
  sharedClient,
} from '@waggle/chat-element';
import * as React from 'react';
import { reportedCount } from './store/conversation-changes';
import { sortedConversations } from './store/conversation-order';
import { hasOlder, isUnloaded } from './store/message-window';

/** The chat of the account that is signed in. */
export interface ChatResult {
  phase: Phase;
  connection: ConnectionStatus;
  /** Undefined if no account is signed in. */
  account: string | undefined;
  /** In the order of the list. */
  conversations: readonly ConversationData[];
  /** Why the account was signed out, or why the chat cannot be loaded yet: a code. */
  failure: string | undefined;
  /** The client, for example to sign in or out. Undefined during server rendering and hydration. */
  client: ChatClient | undefined;
}

export interface ConversationResult {
  /** Undefined while it is unknown, or if the account is not in it. */
  conversation: ConversationData | undefined;
  /** The loaded messages, in ascending order: at most 250. */
  messages: readonly ChatMessage[];
  /** Own messages that the service has not stored yet; `failure` is set if one cannot be sent. */
  outgoing: readonly OutgoingText[];
  isLoading: boolean;
  /** Why the last page could not be loaded: a code. */
  failure: string | undefined;
  hasOlder: boolean;
  /** Loads the page before the loaded messages. */
  loadOlder: () => void;
  /** Whether newer messages exist that are not loaded. New ones do not appear in `messages` then. */
  hasNewer: boolean;
  /** Loads the page after the loaded messages. */
  loadNewer: () => void;
  /** Loads the newest page instead of the loaded messages. */
  loadLatest: () => void;
  /** Repeats the load that failed. */
  retry: () => void;
  /** @returns false, and sends nothing, unless the chat is `ready` */
  send: (text: string, options?: { replyTo?: string }) => boolean;
  /** Marks the messages up to the last loaded one as read. */
  markRead: () => void;
}

const emptyConversations: ReadonlyMap<string, ConversationData> = new Map();

/**
 * The chat of a service, which hooks and elements with the same `server` share. During server rendering and hydration
 * its `phase` is `starting`.
 *
 * @param server address of the service; by default the origin of the page
 */
export function useChat(server = ''): ChatResult {
  const { client, state } = useClient(server);
  const known = state?.data.conversations ?? emptyConversations;
  const conversations = React.useMemo(() => sortedConversations(known), [known]);
  const account = state?.data.account;
  return {
    phase: state?.phase ?? 'starting',
    connection: state?.connection ?? 'connecting',
    account: account === '' ? undefined : account,
    conversations,
    failure: state?.failure ?? state?.retryReason,
    client,
  };
}

/** Returns the number of unread messages; of muted conversations only mentions count. */
export function useUnread(server = ''): number {
  const { conversations } = useChat(server);
  return conversations.reduce((sum, conversation) => sum + reportedCount(conversation), 0);
}

/** Opens a conversation at its first unread message, and keeps it up to date. */
export function useConversation(id: string, server = ''): ConversationResult {
  const { client, state } = useClient(server);
  const live = state?.phase === 'ready' ? client?.live : undefined;
  const window = state?.data.windows.get(id);
  const isOpen = window !== undefined;
  // The client drops the conversation that was opened longest ago: it is opened again.
  React.useEffect(() => {
    if (!isOpen) void live?.history.open(id);
  }, [live, id, isOpen]);
  const allOutgoing = state?.data.outgoing;
  const outgoing = React.useMemo(
    () => allOutgoing?.filter(({ conversationId }) => conversationId === id) ?? [],
    [allOutgoing, id],
  );
  return {
    conversation: state?.data.conversations.get(id),
    messages: window?.messages ?? [],
    outgoing,
    isLoading: live !== undefined && (window === undefined || window.loading !== undefined),
    failure: window?.failure?.code,
    hasOlder: window !== undefined && !isUnloaded(window) && hasOlder(window),
    loadOlder: () => void live?.history.older(id),
    hasNewer: window !== undefined && !isUnloaded(window) && !window.reachesEnd,
    loadNewer: () => void live?.history.newer(id),
    loadLatest: () => void live?.history.latest(id),
    retry: () => void live?.history.retry(id),
    send: (text, { replyTo } = {}) => {
      live?.messages.send(id, text, replyTo);
      if (window?.reachesEnd === false) void live?.history.latest(id);
      return live !== undefined;
    },
    markRead: () => {
      const last = window?.messages.at(-1);
      if (last !== undefined) live?.messages.acknowledge(id, last.seq);
    },
  };
}

/** The client of a service, and its state whenever it changes; both undefined during server rendering and hydration. */
function useClient(server: string): { client: ChatClient | undefined; state: ClientState | undefined } {
  const client = typeof document === 'undefined' ? undefined : sharedClient(server === '' ? location.origin : server);
  const subscribe = React.useCallback(
    (onChange: () => void) => client?.store.subscribe(onChange) ?? (() => undefined),
    [client],
  );
  const state = React.useSyncExternalStore(
    subscribe,
    () => client?.store.state,
    () => undefined,
  );
  return { client: state === undefined ? undefined : client, state };
}
