import { UnexpectedResponseError } from '../errors';
import {
  type AccountExistence,
  type Conversation,
  type ConversationChange,
  type CreatedChannel,
  type ExtendedConversation,
  type FriendRequest,
  type FriendsList,
  isAccountExistence,
  isConversation,
  isConversationChange,
  isCreatedChannel,
  isExtendedConversation,
  isFriendRequest,
  isFriendsList,
  isMessage,
  isMessageRevision,
  isMessageWithSeq,
  isUnreadMessageWithSeq,
  isSessionInfo,
  isSettings,
  isUnreadMessage,
  type Message,
  type MessageRevision,
  type MessageWithSeq,
  type UnreadMessageWithSeq,
  type SessionInfo,
  type Settings,
  type UnreadMessage,
} from '../protocol/contract';
import { type Guard, isListOf, isString } from '../protocol/guards';
import type { Session } from './session';

/** Adds read positions, unread counts and last messages to conversations, and sequence numbers to messages. */
export interface Extended {
  extended: true;
}

export interface HistoryOptions {
  /** Only messages before this instant (exclusive): milliseconds since 1970, or an ISO time. By default the newest. */
  before?: number | string;
  /** How many messages a request fetches: 50 by default, at most 200. */
  pageSize?: number;
}

/** A part of the changes of a conversation. */
export interface ChangesPage {
  /** In ascending order. */
  changes: ConversationChange[];
  /** Whether there are older ones in the requested part. */
  hasOlder: boolean;
}

/** Which part of the stream of a conversation, whose entries have consecutive sequence numbers; by default all. */
export interface SeqOptions {
  /** Only after this sequence number (exclusive). */
  afterSeq?: number;
  /** Only up to this sequence number (inclusive). */
  untilSeq?: number;
}

/** A part of the history of a conversation. */
export interface HistoryPage<M extends Message = Message> {
  /** In ascending order. */
  messages: M[];
  /** Whether there are older messages. A page ends at `pageSize` or at 512 KiB. */
  hasOlder: boolean;
}

/** A part of the history of a conversation after a sequence number. */
export interface NewerHistoryPage {
  /** In ascending order. */
  messages: MessageWithSeq[];
  /** Whether there are newer messages. A page ends at `pageSize` or at 512 KiB. */
  hasNewer: boolean;
}

/** The REST API. All methods throw RejectedError, UnreachableError and UnexpectedResponseError. */
export class ChatApi {
  constructor(private readonly session: Pick<Session, 'request' | 'requestPage'>) {}

  /** All conversations of the account. */
  conversations(): Promise<Conversation[]>;
  conversations(options: Extended): Promise<ExtendedConversation[]>;
  async conversations(options?: Extended): Promise<Conversation[]> {
    const found = new Map<string, Conversation>();
    let isComplete = false;
    while (!isComplete) isComplete = await this.#addConversations(found, options);
    return [...found.values()];
  }

  /**
   * One conversation.
   *
   * Fetching a channel also follows it: its events are then delivered to the account's connections.
   */
  conversation(id: string): Promise<Conversation>;
  conversation(id: string, options: Extended): Promise<ExtendedConversation>;
  conversation(id: string, options?: Extended): Promise<Conversation> {
    return this.#get('/messages/conversation', conversationGuard(options), { id, ...options });
  }

  /**
   * Conversations in the requested order, without unknown ids. If a response ends at 512 KiB, the next page is fetched,
   * too.
   *
   * @param ids at most 200
   */
  conversationsById(ids: readonly string[]): Promise<Conversation[]>;
  conversationsById(ids: readonly string[], options: Extended): Promise<ExtendedConversation[]>;
  async conversationsById(ids: readonly string[], options?: Extended): Promise<Conversation[]> {
    if (ids.length === 0) return [];
    const found: Conversation[] = [];
    const query = { ids: ids.join(','), ...options };
    for await (const page of this.#pages('/messages/conversation', isListOf(conversationGuard(options)), query)) {
      found.push(...page);
    }
    return found;
  }

  /** All members in the order of `Conversation.members`; pages of up to 10,000 are fetched as they are needed. */
  async *members(conversationId: string): AsyncGenerator<string, void> {
    const query = { conversation_id: conversationId };
    for await (const page of this.#pages('/messages/members', isListOf(isString), query)) yield* page;
  }

  /** The newest changes of a group or channel, or of a part of its stream; at most 500. */
  async changesPage(conversationId: string, { afterSeq, untilSeq }: SeqOptions = {}): Promise<ChangesPage> {
    const path = '/messages/changes';
    const query = { conversation_id: conversationId, after_seq: afterSeq, until_seq: untilSeq };
    const { body, next } = await this.session.requestPage(withQuery(path, query));
    return { changes: validated(body, isListOf(isConversationChange), path), hasOlder: next !== undefined };
  }

  /** The newest messages before an instant. */
  historyPage(conversationId: string, options?: HistoryOptions): Promise<HistoryPage>;
  historyPage(conversationId: string, options: HistoryOptions & Extended): Promise<HistoryPage<MessageWithSeq>>;
  async historyPage(
    conversationId: string,
    { before, pageSize, extended }: HistoryOptions & Partial<Extended> = {},
  ): Promise<HistoryPage> {
    const path = '/messages/chats';
    const query = { conversation_id: conversationId, before, limit: pageSize, extended };
    const { body, next } = await this.session.requestPage(withQuery(path, query));
    const guard = isListOf<Message>(extended === true ? isMessageWithSeq : isMessage);
    return { messages: validated(body, guard, path), hasOlder: next !== undefined };
  }

  /** The oldest messages after a sequence number. */
  async historyPageAfter(
    conversationId: string,
    seq: number,
    { pageSize }: Pick<HistoryOptions, 'pageSize'> = {},
  ): Promise<NewerHistoryPage> {
    const path = '/messages/chats';
    const query = { conversation_id: conversationId, after_seq: seq, limit: pageSize, extended: true };
    const { body, next } = await this.session.requestPage(withQuery(path, query));
    return { messages: validated(body, isListOf(isMessageWithSeq), path), hasNewer: next !== undefined };
  }

  /** A message, with older ones in half of the page and newer ones in the rest. @throws RejectedError `not-found` */
  async historyPageAround(
    conversationId: string,
    messageId: string,
    { pageSize }: Pick<HistoryOptions, 'pageSize'> = {},
  ): Promise<NewerHistoryPage> {
    const path = '/messages/chats';
    const query = { conversation_id: conversationId, around: messageId, limit: pageSize, extended: true };
    const { body, next } = await this.session.requestPage(withQuery(path, query));
    return { messages: validated(body, isListOf(isMessageWithSeq), path), hasNewer: next !== undefined };
  }

  /** The messages from the newest to the oldest; pages are fetched as they are needed. */
  history(conversationId: string, options?: HistoryOptions): AsyncGenerator<Message, void>;
  history(conversationId: string, options: HistoryOptions & Extended): AsyncGenerator<MessageWithSeq, void>;
  async *history(
    conversationId: string,
    options: HistoryOptions & Partial<Extended> = {},
  ): AsyncGenerator<Message, void> {
    let { before } = options;
    for (;;) {
      const page = await this.historyPage(conversationId, { ...options, ...(before !== undefined && { before }) });
      const [oldest] = page.messages;
      yield* page.messages.reverse();
      if (oldest === undefined || !page.hasOlder) return;
      before = oldest.timestamp;
    }
  }

  /** The former texts of an edited message, the first one first; pages are fetched as they are needed. */
  async *revisions(messageId: string): AsyncGenerator<MessageRevision, void> {
    for await (const page of this.#pages('/messages/revisions', isListOf(isMessageRevision), { id: messageId }))
      yield* page;
  }

  /** The newest unread messages of others, up to 1,000 messages or 512 KiB, in ascending order. */
  unread(): Promise<UnreadMessage[]>;
  unread(options: Extended): Promise<UnreadMessageWithSeq[]>;
  unread(options?: Extended): Promise<UnreadMessage[]> {
    const guard: Guard<UnreadMessage> = options?.extended === true ? isUnreadMessageWithSeq : isUnreadMessage;
    return this.#get('/messages/new', isListOf(guard), { ...options });
  }

  friends(): Promise<FriendsList> {
    return this.#get('/users/friends', isFriendsList);
  }

  /** Requests that the account has not accepted or rejected. */
  friendRequests(): Promise<FriendRequest[]> {
    return this.#get('/users/friend-requests', isListOf(isFriendRequest));
  }

  settings(): Promise<Settings> {
    return this.#get('/users/settings', isSettings);
  }

  changeSettings(settings: Settings): Promise<Settings> {
    return this.#post('/users/settings', settings, isSettings);
  }

  /** The channels that the account created. */
  channels(): Promise<Conversation[]> {
    return this.#get('/users/channels', isListOf(isConversation));
  }

  createChannel(name: string): Promise<CreatedChannel> {
    return this.#post('/users/channels', { name }, isCreatedChannel);
  }

  /** Whether an account exists. If `signal` is aborted, it throws UnreachableError. */
  async accountExists(username: string, signal?: AbortSignal): Promise<boolean> {
    const path = withQuery('/users/account', { username });
    const body = await this.session.request(path, { signals: signal === undefined ? [] : [signal] });
    const { exists }: AccountExistence = validated(body, isAccountExistence, path);
    return exists;
  }

  sessions(): Promise<SessionInfo[]> {
    return this.#get('/users/sessions', isListOf(isSessionInfo));
  }

  /** Ends another session of the account, or this one. */
  async revokeSession(id: string): Promise<void> {
    await this.session.request('/users/revoke-session', { method: 'POST', body: { id } });
  }

  async #get<T>(path: string, guard: Guard<T>, query: Query = {}): Promise<T> {
    return validated(await this.session.request(withQuery(path, query)), guard, path);
  }

  /** The pages of a list; each is fetched when it is needed. */
  async *#pages<T>(path: string, guard: Guard<T[]>, query: Query): AsyncGenerator<T[], void> {
    let next: string | undefined = withQuery(path, query);
    while (next !== undefined) {
      const page = await this.session.requestPage(next);
      yield validated(page.body, guard, path);
      next = page.next;
    }
  }

  /**
   * Reads the list until a page has nothing new.
   *
   * @returns whether the list is complete. After several pages it may not be: while the later ones were read, a
   * conversation may have moved to the first
   */
  async #addConversations(found: Map<string, Conversation>, options: Extended | undefined): Promise<boolean> {
    let pages = 0;
    const guard = isListOf(conversationGuard(options));
    for await (const page of this.#pages('/messages/conversations', guard, { ...options })) {
      pages += 1;
      const added = page.filter(({ id }) => !found.has(id));
      for (const conversation of added) found.set(conversation.id, conversation);
      if (added.length === 0) break;
    }
    return pages <= 1;
  }

  async #post<T>(path: string, body: unknown, guard: Guard<T>): Promise<T> {
    return validated(await this.session.request(path, { method: 'POST', body }), guard, path);
  }
}

type Query = Record<string, string | number | boolean | undefined>;

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

function conversationGuard(options: Extended | undefined): Guard<Conversation> {
  return options?.extended === true ? isExtendedConversation : isConversation;
}

function validated<T>(body: unknown, guard: Guard<T>, path: string): T {
  if (guard(body)) return body;
  throw new UnexpectedResponseError(path);
}
