import type {
  ChatEvents,
  ChatState,
  Conversation,
  Draft,
  ExtendedConversation,
  FriendRequest,
  Message,
  StreamPosition,
} from '@waggle/client/browser';
import { type AppliedEvent, eventHandlers, type EventHandlers } from '../src/store/apply-event';
import type { ChatData } from '../src/store/chat-data';

/** An event as the account receives it: applies itself. */
export type DeliveredEvent = (data: ChatData) => ChatData;

function eventOf<E extends AppliedEvent>(type: E, payload: ChatEvents[E], position?: StreamPosition): DeliveredEvent {
  const handler: EventHandlers[E] = eventHandlers[type];
  return (data) => handler(data, payload, position);
}

interface Stored {
  conversation: Conversation;
  seq: number;
  messages: (Message & { seq: number })[];
  acknowledgedSeq: number;
}

const me = 'alice';
const others = ['bob', 'carol', 'dave'];

/** A model of the service as one account, alice, sees it: what she can fetch, and the events of what happens. */
export class ServiceModel {
  readonly account = me;
  readonly #conversations = new Map<string, Stored>();
  readonly #drafts = new Map<string, Draft>();
  readonly #friends = new Set<string>();
  readonly #blocked = new Set<string>();
  #requests: FriendRequest[] = [];
  #clockMs = Date.UTC(2026, 0, 1);
  #ids = 0;
  #accountSeq = 0;

  constructor(
    private readonly deliver: (event: DeliveredEvent) => void,
    /** For events that are no entries of a stream: they may be early or late. */
    private readonly deliverUnordered: (event: DeliveredEvent) => void,
    private readonly random: (below: number) => number,
  ) {}

  fetchConversation(id: string): ExtendedConversation {
    const { conversation, messages } = this.#get(id);
    const last = messages.at(-1);
    return {
      ...conversation,
      members: [...conversation.members],
      moderators: [...conversation.moderators],
      ...this.#readState(id),
      muted: false,
      favourite: false,
      mention_count: 0,
      first_unread_id: null,
      last_message: last ?? null,
    };
  }

  fetch(): ChatState {
    return {
      conversations: [...this.#conversations.keys()].map((id) => this.fetchConversation(id)),
      followed: [],
      unread: [],
      friends: { friends: [...this.#friends], blocked: [...this.#blocked] },
      friendRequests: [...this.#requests],
      settings: { dm: { only_from_friends: false } },
    };
  }

  drafts(): ReadonlyMap<string, Draft> {
    return new Map(this.#drafts);
  }

  history(id: string): (Message & { seq: number })[] {
    return [...this.#get(id).messages];
  }

  ids(): string[] {
    return [...this.#conversations.keys()];
  }

  /** Does something at random. */
  step(): void {
    const actions = [
      () => {
        this.#create();
      },
      () => {
        this.#write();
      },
      () => {
        this.#write();
      },
      () => {
        this.#delete();
      },
      () => {
        this.#acknowledge();
      },
      () => {
        this.#rename();
      },
      () => {
        this.#changeMember();
      },
      () => {
        this.#leave();
      },
      () => {
        this.#draft();
      },
      () => {
        this.#befriend();
      },
      () => {
        this.#block();
      },
    ];
    this.#pick(actions)?.();
  }

  #create(): void {
    const id = this.#id();
    const created_at = this.#now();
    const conversation: Conversation = {
      id,
      type: 'group',
      creator: this.#pick([me, ...others]) ?? me,
      members: [me, ...others],
      moderators: [],
      blocked: false,
      created_at,
      updated_at: created_at,
    };
    this.#conversations.set(id, { conversation, seq: 0, messages: [], acknowledgedSeq: 0 });
    this.#emit(id, 'conversation-created', { ...conversation, members: [...conversation.members], moderators: [] });
    this.#write(id);
  }

  #write(id = this.#pick(this.ids())): void {
    if (id === undefined) return;
    const stored = this.#get(id);
    const from = this.#pick(stored.conversation.members) ?? me;
    const message = {
      id: this.#id(),
      conversation_id: id,
      from,
      to: null,
      content: `text ${this.#ids}`,
      timestamp: this.#now(),
      read: false,
    };
    stored.seq += 1;
    stored.messages.push({ ...message, seq: stored.seq });
    this.deliver(eventOf('chat-message', message, { stream: id, seq: stored.seq }));
  }

  #delete(): void {
    const id = this.#pick(this.ids());
    if (id === undefined) return;
    const stored = this.#get(id);
    const message = this.#pick(stored.messages);
    if (message === undefined) return;
    stored.messages = stored.messages.filter((each) => each !== message);
    this.#emit(id, 'message-deleted', { id: message.id });
  }

  #acknowledge(): void {
    const id = this.#pick(this.ids());
    if (id === undefined) return;
    const stored = this.#get(id);
    stored.acknowledgedSeq = Math.max(stored.acknowledgedSeq, this.random(stored.seq + 1));
    this.deliverUnordered(eventOf('read-position', { conversation_id: id, ...this.#readState(id) }));
  }

  #readState(id: string) {
    const { seq, messages, acknowledgedSeq } = this.#get(id);
    const [first, ...others] = messages.filter((message) => message.from !== me && message.seq > acknowledgedSeq);
    if (first === undefined) return { last_seq: seq, read_seq: seq, unread_count: 0 };
    return { last_seq: seq, read_seq: first.seq - 1, unread_count: others.length + 1 };
  }

  #rename(): void {
    const id = this.#pick(this.ids());
    if (id === undefined) return;
    const name = `name ${this.#id()}`;
    this.#get(id).conversation.name = name;
    this.#emit(id, 'conversation-renamed', { conversation_id: id, name });
  }

  #changeMember(): void {
    const id = this.#pick(this.ids());
    const username = this.#pick(others);
    if (id === undefined || username === undefined) return;
    const { conversation } = this.#get(id);
    const { members, moderators, creator } = conversation;
    const payload = { conversation_id: id, username };
    if (!members.includes(username)) {
      conversation.members = [...members, username];
      this.#emit(id, 'member-added', payload);
    } else if (username === creator) {
      this.#succeed(conversation, username);
      this.#emit(id, 'member-left', { conversation_id: id, member: username });
    } else if (moderators.includes(username)) {
      conversation.moderators = moderators.filter((each) => each !== username);
      this.#emit(id, 'moderator-removed', payload);
    } else if (this.random(2) === 0) {
      conversation.moderators = [...moderators, username];
      this.#emit(id, 'moderator-added', payload);
    } else {
      conversation.members = members.filter((each) => each !== username);
      this.#emit(id, 'member-removed', payload);
    }
  }

  /**
   * A creator who leaves is succeeded by the first moderator, otherwise the first member; no event names the successor.
   */
  #succeed(conversation: Conversation, creator: string): void {
    conversation.members = conversation.members.filter((each) => each !== creator);
    const [successor = conversation.members[0] ?? creator] = conversation.moderators;
    conversation.creator = successor;
    conversation.moderators = conversation.moderators.filter((each) => each !== successor);
  }

  #leave(): void {
    const id = this.#pick(this.ids());
    if (id === undefined || this.random(3) > 0) return;
    this.#emit(id, 'conversation-removed', { id });
    this.#conversations.delete(id);
    this.#drafts.delete(id);
  }

  #draft(): void {
    const id = this.#pick(this.ids());
    if (id === undefined) return;
    const text = this.#pick(['', 'not', 'sent', 'yet']) ?? '';
    const draft = { conversation_id: id, text, updated_at: this.#now() };
    if (text === '') this.#drafts.delete(id);
    else this.#drafts.set(id, draft);
    this.deliverUnordered(eventOf('draft-changed', draft));
  }

  #befriend(): void {
    const username = this.#pick(others) ?? 'bob';
    const request = this.#requests.find((each) => each.username === username);
    if (this.#friends.delete(username)) this.#emitOwn('friendship-removed', { username });
    else if (request === undefined) {
      const made = { id: this.#id(), username };
      this.#requests.push(made);
      this.#emitOwn('friendship-requested', made);
    } else {
      this.#requests = this.#requests.filter((each) => each !== request);
      if (this.random(2) === 0) this.#emitOwn('friendship-rejected', { id: request.id });
      else {
        this.#friends.add(username);
        this.#emitOwn('friendship-accepted', request);
      }
    }
  }

  #block(): void {
    const username = this.#pick(others) ?? 'bob';
    const payload = { conversation_id: null, username };
    if (this.#blocked.delete(username)) this.#emitOwn('user-unblocked', payload);
    else {
      this.#blocked.add(username);
      this.#friends.delete(username);
      this.#emitOwn('user-blocked', payload);
    }
  }

  #emit<E extends AppliedEvent>(id: string, type: E, payload: ChatEvents[E]): void {
    const stored = this.#get(id);
    stored.seq += 1;
    this.deliver(eventOf(type, payload, { stream: id, seq: stored.seq }));
  }

  #emitOwn<E extends AppliedEvent>(type: E, payload: ChatEvents[E]): void {
    this.#accountSeq += 1;
    this.deliver(eventOf(type, payload, { stream: me, seq: this.#accountSeq }));
  }

  #get(id: string): Stored {
    const stored = this.#conversations.get(id);
    if (stored === undefined) throw new Error(`no conversation ${id}`);
    return stored;
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[this.random(all.length)];
  }

  #id(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  #now(): string {
    this.#clockMs += 1;
    return new Date(this.#clockMs).toISOString();
  }
}
