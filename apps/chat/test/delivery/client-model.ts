import {
  type Conversation,
  type Draft,
  type FriendRequest,
  type FriendsList,
  type Message,
  type MessageWithSeq,
  quoteCharacters,
  type ServerPayload,
  type UnreadMessage,
} from '@waggle/contracts';
import { type AnyServerFrame } from '../support/chat-socket';

/** A message with what the capability `rich` adds. */
export type HeldMessage = Omit<MessageWithSeq, 'seq'> & { seq?: undefined };

type StateMessage = Omit<HeldMessage, 'read'> & { read: boolean | undefined };

/** Everything that a client can fetch over REST. */
export interface Fetched {
  conversations: Conversation[];
  /** Channels that the account reads without being a member. */
  followed: Conversation[];
  /** The history of each of these conversations. */
  histories: ReadonlyMap<string, HeldMessage[]>;
  extras: ReadonlyMap<string, Extras>;
  friends: FriendsList;
  requests: FriendRequest[];
  unread: UnreadMessage[];
  drafts: Draft[];
}

/** What a client fetches besides the messages of a conversation. */
export interface Extras {
  /** Ids of the pinned messages. */
  pins: readonly string[];
  muted: boolean;
  favourite: boolean;
}

const noExtras: Extras = { pins: [], muted: false, favourite: false };

/** A conversation in the model. */
interface Held {
  extras: Extras;
  conversation: Conversation;
  messages: HeldMessage[];
  /** Whether earlier messages are complete: an account that joins a conversation fetches them. */
  isWhole: boolean;
  isMember: boolean;
  /** Whether the members are known: events of channels do not list them, so an account that joins one fetches them. */
  knowsMembers: boolean;
}

/**
 * The state that a model and a fetch must agree on, without fields that no event contains: `updated_at`; `blocked` of a
 * dm, since the other account may block too; whether one's own message in a dm was read. Lists without a documented
 * order (friends, blocked, requests, conversations) are sorted.
 */
export interface State {
  conversations: Record<string, Omit<Conversation, 'updated_at' | 'blocked'>>;
  messages: Record<string, StateMessage[]>;
  extras: Record<string, Extras>;
  friends: string[];
  blocked: string[];
  requests: FriendRequest[];
  unread: string[];
  drafts: Draft[];
}

/** The state of a client: fetched once, and then changed only by events. */
export class ClientModel {
  private readonly held = new Map<string, Held>();
  private readonly friends: Set<string>;
  private readonly blocked: Set<string>;
  private readonly requests: Map<string, string>;
  private readonly drafts: Map<string, Draft>;

  constructor(
    readonly account: string,
    fetched: Fetched,
  ) {
    for (const conversation of [...fetched.conversations, ...fetched.followed]) {
      this.hold(conversation, fetched.histories.get(conversation.id) ?? [], fetched.extras.get(conversation.id));
    }
    this.friends = new Set(fetched.friends.friends);
    this.blocked = new Set(fetched.friends.blocked);
    this.requests = new Map(fetched.requests.map(({ id, username }) => [id, username]));
    this.drafts = new Map(fetched.drafts.map((draft) => [draft.conversation_id, draft]));
  }

  /** Adds a conversation that the client fetched: a channel that it follows from now on. */
  hold(conversation: Conversation, history: readonly HeldMessage[], extras = noExtras) {
    this.held.set(conversation.id, {
      extras,
      conversation: copyOf(conversation),
      messages: [...history],
      isWhole: true,
      isMember: conversation.members.includes(this.account),
      knowsMembers: true,
    });
  }

  apply({ type, payload }: AnyServerFrame) {
    switch (type) {
      case 'conversation-created':
        this.addConversation(payload);
        break;
      case 'chat-message':
        this.held.get(payload.conversation_id)?.messages.push(payload);
        break;
      case 'conversation-renamed':
        this.change(payload.conversation_id, (conversation) => (conversation.name = payload.name));
        break;
      case 'conversation-removed':
        this.held.delete(payload.id);
        this.drafts.delete(payload.id);
        break;
      case 'draft-changed':
        if (payload.text === '') this.drafts.delete(payload.conversation_id);
        else this.drafts.set(payload.conversation_id, payload);
        break;
      case 'member-added':
        this.change(payload.conversation_id, ({ members }) => {
          if (!members.includes(payload.username)) members.push(payload.username);
        });
        break;
      case 'member-removed':
        this.change(payload.conversation_id, (conversation) => {
          removeMember(conversation, payload.username);
        });
        break;
      case 'member-left':
        this.change(payload.conversation_id, (conversation) => {
          leave(conversation, payload.member);
        });
        break;
      case 'moderator-added':
        this.change(payload.conversation_id, ({ moderators }) => moderators.push(payload.username));
        break;
      case 'moderator-removed':
        this.change(payload.conversation_id, ({ moderators }) => {
          drop(moderators, payload.username);
        });
        break;
      case 'message-deleted':
        for (const held of this.held.values()) {
          held.messages = held.messages.filter(({ id }) => id !== payload.id);
          setPinned(held, payload.id, false);
          setQuotes(held.messages, payload.id, null);
        }
        break;
      case 'message-edited':
        this.edit(payload);
        break;
      case 'reactions-changed':
        this.changeReactions(payload);
        break;
      case 'pins-changed': {
        const held = this.held.get(payload.conversation_id);
        if (held !== undefined) setPinned(held, payload.id, payload.pinned);
        break;
      }
      case 'conversation-preferences-changed': {
        const held = this.held.get(payload.conversation_id);
        const { muted, favourite } = payload;
        if (held !== undefined) held.extras = { ...held.extras, muted, favourite };
        break;
      }
      case 'acknowledged':
        this.acknowledge(payload.conversation_id);
        break;
      case 'friendship-requested':
        if (payload.username !== this.account) this.requests.set(payload.id, payload.username);
        break;
      case 'friendship-accepted':
        this.requests.delete(payload.id);
        this.friends.add(payload.username);
        break;
      case 'friendship-rejected':
        this.requests.delete(payload.id);
        break;
      case 'friendship-removed':
        this.friends.delete(payload.username);
        break;
      case 'user-blocked':
        this.friends.delete(payload.username);
        this.blocked.add(payload.username);
        break;
      case 'user-unblocked':
        this.blocked.delete(payload.username);
        break;
      case 'status':
      case 'error':
      case 'reauthentication-required':
        break;
    }
  }

  /** Marks a new conversation, whose history is known from events. */
  markComplete(conversationId: string) {
    const held = this.held.get(conversationId);
    if (held !== undefined) held.isWhole = true;
  }

  /**
   * Adds fetched messages from before the client joined a conversation, and the members of channels that it joined.
   * @throws Error if a message is missing
   */
  fillIn({ conversations, histories, extras }: Fetched) {
    for (const held of this.held.values()) {
      if (!held.knowsMembers) {
        const fetched = conversations.find(({ id }) => id === held.conversation.id);
        if (fetched === undefined) throw new Error(`${this.account} is not in ${held.conversation.id}`);
        Object.assign(held.conversation, { members: [...fetched.members], creator: fetched.creator });
        held.knowsMembers = true;
      }
      if (held.isWhole) continue;
      const history = histories.get(held.conversation.id) ?? [];
      const before = history.slice(0, Math.max(history.length - held.messages.length, 0));
      const late = before.filter(({ timestamp }) => timestamp > held.conversation.updated_at);
      if (late.length > 0) throw new Error(`${this.account} did not receive ${JSON.stringify(late)}`);
      held.messages.unshift(...before);
      // Pins and preferences from before, too. Later changes are compared the next time.
      held.extras = extras.get(held.conversation.id) ?? noExtras;
      held.isWhole = true;
    }
  }

  get conversationIds(): string[] {
    return [...this.held.keys()];
  }

  get messageIds(): string[] {
    return [...this.held.values()].flatMap(({ messages }) => messages.map(({ id }) => id));
  }

  conversationOf(messageId: string): string | undefined {
    return [...this.held.values()].find(({ messages }) => messages.some(({ id }) => id === messageId))?.conversation.id;
  }

  get requestIds(): string[] {
    return [...this.requests.keys()];
  }

  /** Channels that the client reads without being a member. */
  get followedIds(): string[] {
    return [...this.held.values()].filter(({ isMember }) => !isMember).map(({ conversation }) => conversation.id);
  }

  /** Groups and channels that the account manages. */
  get managedIds(): string[] {
    return [...this.held.values()].flatMap(({ conversation: { id, type, creator, moderators } }) =>
      type !== 'dm' && [creator, ...moderators].includes(this.account) ? [id] : [],
    );
  }

  membersOf(conversationId: string): string[] {
    return this.held.get(conversationId)?.conversation.members ?? [];
  }

  get friendNames(): string[] {
    return [...this.friends];
  }

  get blockedNames(): string[] {
    return [...this.blocked];
  }

  hasBlocked(account: string): boolean {
    return this.blocked.has(account);
  }

  state(): State {
    const held = [...this.held.values()].sort((a, b) => (a.conversation.id < b.conversation.id ? -1 : 1));
    return {
      conversations: Object.fromEntries(
        held.map(({ conversation }) => [conversation.id, deliveredFields(conversation)]),
      ),
      messages: Object.fromEntries(
        held.map(({ conversation, messages }) => [
          conversation.id,
          messages.map((each) => inOrder({ ...each, read: this.isReadDelivered(each) ? each.read : undefined })),
        ]),
      ),
      extras: Object.fromEntries(held.map(({ conversation, extras }) => [conversation.id, sorted(extras)])),
      friends: [...this.friends].sort(),
      blocked: [...this.blocked].sort(),
      requests: [...this.requests].map(([id, username]) => ({ id, username })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      unread: held
        .filter(({ isMember }) => isMember)
        .flatMap(({ messages }) => messages)
        .filter(({ from, read }) => from !== this.account && !read)
        .sort((a, b) => (a.timestamp + a.id < b.timestamp + b.id ? -1 : 1))
        .map(({ id }) => id),
      drafts: [...this.drafts.values()].sort((a, b) => (a.conversation_id < b.conversation_id ? -1 : 1)),
    };
  }

  /** Adds a conversation that the client joined or requested again. */
  private addConversation(conversation: Conversation) {
    const held = this.held.get(conversation.id);
    // Earlier messages are read for a new member, so a reader's are fetched again.
    const isNew = held?.isMember !== true;
    this.held.set(conversation.id, {
      extras: isNew ? noExtras : held.extras,
      conversation: copyOf(conversation),
      messages: isNew ? [] : held.messages,
      isWhole: !isNew && held.isWhole,
      isMember: true,
      knowsMembers: conversation.type !== 'channel',
    });
  }

  private edit({ id, conversation_id, content, revision, edited_at, mentions }: ServerPayload<'message-edited'>) {
    // The reply to a request that changes nothing.
    if (revision === 0) return;
    const messages = this.held.get(conversation_id)?.messages ?? [];
    const index = messages.findIndex((message) => message.id === id);
    const message = messages[index];
    if (message !== undefined) messages[index] = { ...message, content, revision, edited_at, mentions };
    setQuotes(messages, id, Array.from(content).slice(0, quoteCharacters).join(''));
  }

  private changeReactions({ id, conversation_id, reactions, changes }: ServerPayload<'reactions-changed'>) {
    const messages = this.held.get(conversation_id)?.messages ?? [];
    const index = messages.findIndex((message) => message.id === id);
    const message = messages[index];
    if (message === undefined) return;
    const own = new Set(message.reactions?.filter((reaction) => reaction.own).map(({ emoji }) => emoji));
    for (const { username, emoji, added } of changes) {
      if (username !== this.account) continue;
      if (added) own.add(emoji);
      else own.delete(emoji);
    }
    const changed = reactions.map((reaction) => ({ ...reaction, own: own.has(reaction.emoji) }));
    messages[index] = { ...message, reactions: changed.length === 0 ? undefined : changed };
  }

  private change(conversationId: string, change: (conversation: Conversation) => unknown) {
    const held = this.held.get(conversationId);
    if (held !== undefined) change(held.conversation);
  }

  private acknowledge(conversationId: string) {
    const held = this.held.get(conversationId);
    if (held === undefined) return;
    held.messages = held.messages.map((each) => (this.isReadDelivered(each) ? { ...each, read: true } : each));
  }

  /** In a dm only the recipient receives that a message is read. */
  private isReadDelivered({ from, to }: Message): boolean {
    return to === null || from !== this.account;
  }
}

function setPinned(held: Held, id: string, pinned: boolean) {
  const others = held.extras.pins.filter((each) => each !== id);
  held.extras = { ...held.extras, pins: pinned ? [...others, id] : others };
}

/** The extras with their fields and pins in one order: states are compared as JSON. */
function sorted({ pins, muted, favourite }: Extras): Extras {
  return { pins: [...pins].sort(), muted, favourite };
}

/** Sets the text in the quotes of a message; null if it was deleted. */
function setQuotes(messages: HeldMessage[], id: string, content: string | null) {
  for (const [i, message] of messages.entries()) {
    if (message.reply_to?.id === id) messages[i] = { ...message, reply_to: { ...message.reply_to, content } };
  }
}

function copyOf(conversation: Conversation): Conversation {
  return { ...conversation, members: [...conversation.members], moderators: [...conversation.moderators] };
}

/** Returns a message with its fields in one order: states are compared as JSON. */
function inOrder({
  reply_to,
  revision,
  edited_at,
  attachments,
  mentions,
  reactions,
  ...message
}: StateMessage): StateMessage {
  return { ...message, reply_to, revision, edited_at, attachments, mentions, reactions };
}

function deliveredFields(conversation: Conversation): State['conversations'][string] {
  const { id, type, name, creator, members, moderators, created_at } = conversation;
  return { id, type, ...(name !== undefined && { name }), creator, members, moderators, created_at };
}

/** No event contains the next creator; the design has the rule. */
function leave(conversation: Conversation, member: string) {
  removeMember(conversation, member);
  if (conversation.creator !== member) return;
  const [successor = member] = [...conversation.moderators, ...conversation.members];
  conversation.creator = successor;
}

function removeMember({ members, moderators }: Conversation, member: string) {
  drop(members, member);
  drop(moderators, member);
}

function drop(list: string[], value: string) {
  const index = list.indexOf(value);
  if (index >= 0) list.splice(index, 1);
}
