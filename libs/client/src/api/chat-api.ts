import { RejectedError, UnexpectedResponseError, UnreachableError } from '../errors';
import {
  type AccountExistence,
  type Conversation,
  type ConversationChange,
  type CreatedChannel,
  type Draft,
  type Erasure,
  type ExtendedConversation,
  type FriendRequest,
  type FriendsList,
  isAccountExistence,
  isConversation,
  isConversationChange,
  isCreatedChannel,
  isDraft,
  isErasure,
  isExtendedConversation,
  isFriendRequest,
  isFriendsList,
  isMessage,
  isMentioningMessage,
  isMessageRevision,
  isMessageWithSeq,
  isUnreadMessageWithSeq,
  isPin,
  isReceipt,
  isSessionInfo,
  isSettings,
  isUnreadCounts,
  isSearchResults,
  isUnreadMessage,
  type Message,
  type MentioningMessage,
  type MessageRevision,
  type MessageWithSeq,
  type UnreadMessageWithSeq,
  type Pin,
  type Receipt,
  type SearchResults,
  type SessionInfo,
  type Settings,
  type UnreadCounts,
  type UnreadMessage,
} from '../protocol/contract';
import { type Guard, isAbsentOr, isListOf, isShape, isString, parseJson } from '../protocol/guards';
import { atServiceTime, type LogInOptions } from './log-in';
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

/** A part of the messages that a search found. */
export interface SearchResultsPage extends SearchResults {
  /** The start of the next page; undefined if this is the last. A page that is not the last may have no messages. */
  next: string | undefined;
}

export interface SearchOptions {
  /** `next` of the page before; by default the first page. */
  next?: string | undefined;
  /** How many messages a request fetches: 20 by default, at most 50. */
  pageSize?: number;
  /** If it is aborted, the method throws UnreachableError. */
  signal?: AbortSignal;
}

/** A line of an export. The description of the API has the fields of each type. */
export interface ExportLine {
  /** Such as `message`. Ignore unknown types. */
  type: string;
  /** Continues the export behind this line. */
  cursor: string;
  [field: string]: unknown;
}

const isExportLine = isShape<ExportLine>({ type: isString, cursor: isString });

/** A line that may be the last one, which has no cursor. */
interface LastLine {
  type: string;
  code?: string;
  message?: string;
}

const isLastLine = isShape<LastLine>({ type: isString, code: isAbsentOr(isString), message: isAbsentOr(isString) });

/** The REST API. All methods throw RejectedError, UnreachableError and UnexpectedResponseError. */
export class ChatApi {
  constructor(private readonly session: Pick<Session, 'account' | 'request' | 'requestLines' | 'requestPage'>) {}

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

  /**
   * Messages with words, "phrases", `from:account`, `in:conversation-id`, `before:2026-01-31`, `after:2026-01-31`,
   * `has:link` and `has:image`, the newest first. @throws RejectedError `invalid-request` if the text is not valid
   */
  async searchPage(text: string, { next, pageSize, signal }: SearchOptions = {}): Promise<SearchResultsPage> {
    const path = next ?? withQuery('/messages/search', { q: text, limit: pageSize });
    const page = await this.session.requestPage(path, { signals: signal === undefined ? [] : [signal] });
    return { ...validated(page.body, isSearchResults, '/messages/search'), next: page.next };
  }

  /** The former texts of an edited message, the first one first; pages are fetched as they are needed. */
  async *revisions(messageId: string): AsyncGenerator<MessageRevision, void> {
    for await (const page of this.#pages('/messages/revisions', isListOf(isMessageRevision), { id: messageId }))
      yield* page;
  }

  /** The pinned messages of a conversation, the last pinned first. */
  pins(conversationId: string): Promise<Pin[]> {
    return this.#get('/messages/pins', isListOf(isPin), { conversation_id: conversationId });
  }

  /**
   * The messages that mention the account or reply to its messages, the newest first; pages are fetched as they are
   * needed.
   */
  async *mentions(): AsyncGenerator<MentioningMessage, void> {
    for await (const page of this.#pages('/messages/mentions', isListOf(isMentioningMessage), {})) yield* page;
  }

  /** The number of unread messages and mentions over all conversations. */
  unreadCounts(): Promise<UnreadCounts> {
    return this.#get('/messages/unread-counts', isUnreadCounts);
  }

  /** How far the members of a small group have read it; none of other conversations. */
  receipts(conversationId: string): Promise<Receipt[]> {
    return this.#get('/messages/receipts', isListOf(isReceipt), { conversation_id: conversationId });
  }

  /** The drafts of the account in its conversations, at most 200. */
  async drafts(): Promise<Draft[]> {
    const drafts: Draft[] = [];
    for await (const page of this.#pages('/messages/drafts', isListOf(isDraft), {})) drafts.push(...page);
    return drafts;
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
    const path = '/users/account';
    const signals = signal === undefined ? [] : [signal];
    const body = await this.session.request(withQuery(path, { username }), { signals });
    const { exists }: AccountExistence = validated(body, isAccountExistence, path);
    return exists;
  }

  /**
   * What the service stores about the account, line by line. If it throws, continue with the `cursor` of the last line.
   *
   * @param after the `cursor` of a line; by default the whole export
   * @throws RejectedError also with the code of an error during the export
   */
  async *exportData(after?: string): AsyncGenerator<ExportLine, void> {
    const path = '/users/export';
    for await (const text of await this.session.requestLines(withQuery(path, { after }))) {
      const line = validated(parseJson(text), isLastLine, path);
      if (line.type === 'end') return;
      if (line.type === 'error') throw new RejectedError(line.code ?? 'unavailable', line.message ?? '');
      yield validated(line, isExportLine, path);
    }
    throw new UnreachableError('The export has ended before its last line');
  }

  /**
   * Erases the data of the account, and ends its sessions, also this one. The account can log in again when that is
   * done.
   *
   * @param sign as for `logIn`
   */
  eraseAccount(sign: LogInOptions['sign']): Promise<Erasure> {
    return atServiceTime(async (clockOffsetMs) => {
      const ts = String(Date.now() + clockOffsetMs);
      const sig = await sign(`erase all chat data of ${this.session.account} at ${ts}`);
      return this.#post('/users/erase', { ts, sig }, isErasure);
    });
  }

  /** The newest 400 sessions of the account, with the time when each was last renewed. */
  sessions(): Promise<SessionInfo[]> {
    return this.#get('/users/sessions', isListOf(isSessionInfo), { extended: 'true' });
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
