import { ChatApi } from './api/chat-api';
import { type ChatState, fetchState, type StateOptions } from './api/fetch-state';
import type { Session } from './api/session';
import { ChatCore, type ConnectionState } from './chat-core';
import type { WebSocketConstructor } from './connection/frame-socket';
import type { Listener } from './emitter';
import type { ChatOptions } from './options';
import { messageOf } from './attachments';
import type { Conversation, Frames } from './protocol/contract';
import type { StreamPosition } from './protocol/frames';
import type { ChatEvents } from './receiving/events';
import type { OutgoingMessage } from './sending/outbox';
import type { StoredMessage } from './sending/pending-message';
import type { MessageOptions, SendOptions } from './sending/sender';
import { TypingPace } from './sending/typing-pace';

/**
 * A chat: reconnects when the connection is lost, delivers each event once, and sends each message once.
 *
 * Methods that send a request throw RejectedError with the service's code, TimeLimitError, EndedError if the chat has
 * ended, and ConnectionLostError if the reply was lost and a repetition could take effect twice.
 */
export class Chat {
  /** The REST API. */
  readonly api: ChatApi;
  readonly session: Session;
  readonly #core: ChatCore;
  readonly #typing = new TypingPace();

  constructor(options: ChatOptions & { WebSocket: WebSocketConstructor }) {
    this.session = options.session;
    this.api = new ChatApi(options.session);
    this.#core = new ChatCore(options, options.WebSocket);
  }

  get account(): string {
    return this.session.account;
  }

  get state(): ConnectionState {
    return this.#core.state;
  }

  /** Messages that are not stored yet, the oldest first. */
  get outbox(): OutgoingMessage[] {
    return this.#core.outgoing;
  }

  /**
   * Adds a listener. Durable events of the service have a position in the stream of their conversation or of the
   * account.
   *
   * @returns removes the listener
   */
  on<E extends keyof ChatEvents>(event: E, listener: Listener<ChatEvents[E]>): () => void {
    return this.#core.events.on(event, listener);
  }

  /** Resolves when `state` is `connected` for the first time; retries until then. @throws EndedError */
  connect(): Promise<void> {
    return this.#core.connect();
  }

  /**
   * Skips the pause before the next attempt, or probes an open connection. Call it when the network or the user is
   * back.
   */
  retryNow(): void {
    this.#core.retryNow();
  }

  /**
   * Ends the chat; resolves when it is stopped. The promises of unsent messages are rejected; a store keeps the
   * messages.
   */
  close(): Promise<void> {
    return this.#core.close();
  }

  /**
   * Ends the chat and the session. If the service is unreachable, call it again: `RequestRetries` does. @throws
   * RejectedError, UnreachableError
   */
  async logOut(): Promise<void> {
    await this.close();
    await this.session.logOut();
  }

  /**
   * Fetches what a client shows at its start and after `state-lost`. Events that arrive meanwhile are delivered
   * afterwards, without those that the state contains. Requests once: see `retryWhileUnreachable`.
   *
   * @throws RejectedError, UnreachableError, UnexpectedResponseError
   */
  fetchState(options?: StateOptions): Promise<ChatState> {
    return this.holdEvents(async () => {
      // The record of this moment: if the state is lost meanwhile, there is a new one, and the fetched data may be
      // older.
      const { delivered } = this.#core;
      const state = await fetchState(this.api, options);
      for (const { id, last_seq } of [...state.conversations, ...state.followed])
        delivered.skipTo({ stream: id, seq: last_seq });
      return state;
    });
  }

  /**
   * Drops events up to a position. To be called while events are held, with the `last_seq` of a conversation that was
   * fetched with `{ extended: true }` by other means than `fetchState`.
   */
  skipTo(position: StreamPosition): void {
    this.#core.delivered.skipTo(position);
  }

  /**
   * Repeats a fetch, with pauses as between connections, while the service is unreachable or overloaded.
   *
   * @throws EndedError if the chat has ended; errors of the fetch that a retry cannot resolve
   */
  retryWhileUnreachable<T>(fetch: () => Promise<T>): Promise<T> {
    return this.#core.retries.run(fetch);
  }

  /** Holds events back during some work, such as a fetch, and until the code that awaits it has run. */
  holdEvents<T>(work: () => Promise<T>): Promise<T> {
    return this.#core.held.during(work);
  }

  /**
   * Sends a message to a conversation. Resolves when it is stored; lost connections do not matter. The text may be
   * empty if there are attachments.
   *
   * @throws OutboxFullError, ClientIdInUseError
   */
  async send(conversationId: string, text: string, options?: MessageOptions): Promise<StoredMessage> {
    const { replyTo } = options ?? {};
    const payload = {
      conversation_id: conversationId,
      ...messageOf(text, options),
      ...(replyTo !== undefined && { reply_to: replyTo }),
    };
    return (await this.#core.send({ type: 'chat-message', payload }, conversationId, options)).message;
  }

  /** Sends a message to an account, in a dm that is created if necessary. */
  async sendTo(account: string, text: string, options?: SendOptions): Promise<StoredMessage> {
    const payload = { to: account, ...messageOf(text, options) };
    return (await this.#core.send({ type: 'chat-message', payload }, `@${account}`, options)).message;
  }

  /** Creates a group of the accounts and this account, with a first message. */
  async createGroup(
    accounts: readonly string[],
    text: string,
    options?: SendOptions,
  ): Promise<{ conversation: Conversation; message: StoredMessage }> {
    const payload = { to: [...accounts], ...messageOf(text, options) };
    const { message, conversation } = await this.#core.send(
      { type: 'create-conversation', payload },
      undefined,
      options,
    );
    return { message, conversation: conversation ?? (await this.api.conversation(message.conversation_id)) };
  }

  deleteMessage(id: string): Promise<Frames['message-deleted']> {
    return this.#core.request('delete-message', { id }, ['message-deleted']);
  }

  /** Replaces the text of an own message. Not repeated: another device may have edited it meanwhile. */
  editMessage(id: string, text: string): Promise<Frames['message-edited']> {
    return this.#core.request('edit-message', { id, message: text }, ['message-edited']);
  }

  /** Reacts to a message with an emoji. Repeated after a lost connection, since that is harmless. */
  addReaction(messageId: string, emoji: string): Promise<Frames['reactions-changed']> {
    return this.#core.request('add-reaction', { id: messageId, emoji }, ['reactions-changed'], { isRepeatable: true });
  }

  /** Withdraws the reaction with an emoji. Repeated after a lost connection. */
  removeReaction(messageId: string, emoji: string): Promise<Frames['reactions-changed']> {
    return this.#core.request('remove-reaction', { id: messageId, emoji }, ['reactions-changed'], {
      isRepeatable: true,
    });
  }

  /** Pins a message. Repeated after a lost connection, since that is harmless. */
  pinMessage(id: string): Promise<Frames['pins-changed']> {
    return this.#core.request('pin-message', { id }, ['pins-changed'], { isRepeatable: true });
  }

  /** Unpins a message. Repeated after a lost connection. */
  unpinMessage(id: string): Promise<Frames['pins-changed']> {
    return this.#core.request('unpin-message', { id }, ['pins-changed'], { isRepeatable: true });
  }

  /**
   * Marks a message and all later ones as unread for this account. Repeated after a lost connection.
   *
   * @returns the new read position
   */
  markUnread(messageId: string): Promise<Frames['read-position']> {
    return this.#core.request('mark-unread', { id: messageId }, ['read-position'], { isRepeatable: true });
  }

  /** Marks all messages of a conversation as read. Repeated after a lost connection, since that is harmless. */
  acknowledge(conversationId: string): Promise<Frames['acknowledged']> {
    const payload = { conversation_id: conversationId };
    return this.#core.request('acknowledgment', payload, ['acknowledged'], { isRepeatable: true });
  }

  /**
   * Marks the messages of a conversation up to a sequence number as read; connections with the capability
   * `read-position`, as by default, can do so. Repeated after a lost connection.
   *
   * @returns the new read position; only `markUnread` makes it lower
   */
  acknowledgeUpTo(conversationId: string, seq: number): Promise<Frames['read-position']> {
    const payload = { conversation_id: conversationId, seq };
    return this.#core.request('acknowledgment', payload, ['read-position'], { isRepeatable: true });
  }

  /** Shows the other members that the user is typing. Call it on every key press: it sends at most one frame in 3 s. */
  typing(conversationId: string): void {
    if (this.#typing.allows(conversationId)) this.#core.notify('typing', { conversation_id: conversationId });
  }

  rename(conversationId: string, name: string): Promise<Frames['conversation-renamed']> {
    const payload = { conversation_id: conversationId, name };
    return this.#core.request('rename-conversation', payload, ['conversation-renamed']);
  }

  /** Leaves a group or channel, or hides a dm until its next message. */
  leave(conversationId: string): Promise<Frames['conversation-removed']> {
    return this.#core.request('leave-conversation', { conversation_id: conversationId }, ['conversation-removed']);
  }

  /**
   * Mutes a conversation, makes it a favourite, or the reverse; what is not given stays. Repeated after a lost
   * connection, since that is harmless.
   */
  setPreferences(
    conversationId: string,
    preferences: { muted?: boolean; favourite?: boolean },
  ): Promise<Frames['conversation-preferences-changed']> {
    const payload = { conversation_id: conversationId, ...preferences };
    return this.#core.request('set-conversation-preferences', payload, ['conversation-preferences-changed'], {
      isRepeatable: true,
    });
  }

  /**
   * Replaces the draft of the account in a conversation, for its other devices, or deletes it if the text is empty. Not
   * repeated: another device may have changed it meanwhile.
   */
  setDraft(
    conversationId: string,
    text: string,
    { replyTo }: Pick<MessageOptions, 'replyTo'> = {},
  ): Promise<Frames['draft-changed']> {
    const payload = { conversation_id: conversationId, text, ...(replyTo !== undefined && { reply_to: replyTo }) };
    return this.#core.request('set-draft', payload, ['draft-changed']);
  }

  addMember(conversationId: string, account: string): Promise<Frames['member-added']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.request('add-member', payload, ['member-added']);
  }

  removeMember(conversationId: string, account: string): Promise<Frames['member-removed']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.request('remove-member', payload, ['member-removed']);
  }

  addModerator(conversationId: string, account: string): Promise<Frames['moderator-added']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.request('add-moderator', payload, ['moderator-added']);
  }

  removeModerator(conversationId: string, account: string): Promise<Frames['moderator-removed']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.request('remove-moderator', payload, ['moderator-removed']);
  }

  /** Requests a friendship. If the other account requested it before, both become friends. */
  requestFriendship(account: string): Promise<Frames['friendship-requested' | 'friendship-accepted']> {
    const replies = ['friendship-requested', 'friendship-accepted'] as const;
    return this.#core.request('request-friendship', { username: account }, replies);
  }

  acceptFriendship(requestId: string): Promise<Frames['friendship-accepted']> {
    return this.#core.request('accept-friendship', { id: requestId }, ['friendship-accepted']);
  }

  /** Rejects a request, or withdraws one of this account. */
  rejectFriendship(requestId: string): Promise<Frames['friendship-rejected']> {
    return this.#core.request('reject-friendship', { id: requestId }, ['friendship-rejected']);
  }

  removeFriendship(account: string): Promise<Frames['friendship-removed']> {
    return this.#core.request('remove-friendship', { username: account }, ['friendship-removed']);
  }

  block(account: string): Promise<Frames['user-blocked']> {
    return this.#core.request('block-user', { username: account }, ['user-blocked']);
  }

  unblock(account: string): Promise<Frames['user-unblocked']> {
    return this.#core.request('unblock-user', { username: account }, ['user-unblocked']);
  }
}
