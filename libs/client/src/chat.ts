import { ChatApi } from './chat-api';
import { ChatCore, type ConnectionState } from './core';
import type { Listener } from './emitter';
import type { ChatEvents } from './events';
import type { Frames, Place } from './frames';
import type { ChatOptions } from './options';
import type { OutgoingMessage } from './outbox';
import type { Conversation } from './resources';
import type { SendOptions } from './sender';
import type { StoredMessage } from './sending';
import type { Session } from './session';
import { type ChatState, fetchState, type StateOptions } from './state';
import { TypingPace } from './typing-pace';
import type { WebSocketConstructor } from './web-socket';

/**
 * A live chat: keeps a connection through losses of it, tells every event once, and sends every message once.
 *
 * What asks the service for something throws RefusedError with the service's code; TimeLimitError; EndedError when the chat
 * is over; and ConnectionLostError where the answer was lost and doing it again could do it twice.
 */
export class Chat {
  /** Everything that is read over REST. */
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
   * Hears of an event. Those of the service that last come with their place in the stream of their conversation, or of
   * the account.
   *
   * @returns ends it
   */
  on<E extends keyof ChatEvents>(event: E, listener: Listener<ChatEvents[E]>): () => void {
    return this.#core.events.on(event, listener);
  }

  /** Resolves when `state` is `connected` for the first time; it tries until then. @throws EndedError */
  connect(): Promise<void> {
    return this.#core.connect();
  }

  /** Does not wait for the next attempt, and looks whether a connection is alive: for when the network or the user is back. */
  retryNow(): void {
    this.#core.retryNow();
  }

  /** Ends it for good; resolves when nothing goes on any more. Messages that wait are rejected (a store keeps them). */
  close(): Promise<void> {
    return this.#core.close();
  }

  /** Ends the session too. @throws RefusedError, UnreachableError */
  async logOut(): Promise<void> {
    await this.close();
    await this.session.logOut();
  }

  /**
   * What a client shows at its start, and anew after `state-lost`. Events that come meanwhile are told afterwards: those
   * of conversations that the state does not contain. Asks once: see `untilAnswered`.
   *
   * @throws RefusedError, UnreachableError, UnexpectedAnswerError
   */
  fetchState(options?: StateOptions): Promise<ChatState> {
    return this.holdEvents(async () => {
      const know = this.#core.knowing();
      const state = await fetchState(this.api, options);
      for (const { id, last_seq } of [...state.conversations, ...state.followed]) know({ stream: id, seq: last_seq });
      return state;
    });
  }

  /**
   * Whatever lies at or before the place is no news any more: no event tells it. For what is fetched otherwise than by
   * `fetchState`, with `{ extended: true }` and while events are held: a conversation up to its `last_seq`.
   */
  know(place: Place): void {
    this.#core.know(place);
  }

  /**
   * Does a fetch again, with pauses as between connections, while the service is away or says that it cannot answer now.
   *
   * @throws EndedError when the chat is over; what the fetch throws where asking again is of no use
   */
  untilAnswered<T>(fetch: () => Promise<T>): Promise<T> {
    return this.#core.untilAnswered(fetch);
  }

  /** Does something, such as a fetch; events that come meanwhile are told when whoever awaits it has gone on. */
  holdEvents<T>(work: () => Promise<T>): Promise<T> {
    return this.#core.hold(work);
  }

  /**
   * Writes into a conversation. Resolves when it is stored, however many connections that takes.
   *
   * @throws OutboxFullError, ClientIdInUseError
   */
  async send(conversationId: string, text: string, options?: SendOptions): Promise<StoredMessage> {
    const payload = { conversation_id: conversationId, message: text };
    return (await this.#core.send({ type: 'chat-message', payload }, conversationId, options)).message;
  }

  /** As `send`, to an account: in the dm of the two, which is made where there is none. */
  async sendTo(account: string, text: string, options?: SendOptions): Promise<StoredMessage> {
    const payload = { to: account, message: text };
    return (await this.#core.send({ type: 'chat-message', payload }, `@${account}`, options)).message;
  }

  /** As `send`, into a group of the accounts and oneself, which is made for it. */
  async createGroup(
    accounts: readonly string[],
    text: string,
    options?: SendOptions,
  ): Promise<{ conversation: Conversation; message: StoredMessage }> {
    const payload = { to: [...accounts], message: text };
    const { message, conversation } = await this.#core.send(
      { type: 'create-conversation', payload },
      undefined,
      options,
    );
    return { message, conversation: conversation ?? (await this.api.conversation(message.conversation_id)) };
  }

  deleteMessage(id: string): Promise<Frames['message-deleted']> {
    return this.#core.ask('delete-message', { id }, ['message-deleted']);
  }

  /** Everything in the conversation is read. Asked again after a lost connection, since it does no harm. */
  acknowledge(conversationId: string): Promise<Frames['acknowledged']> {
    const payload = { conversation_id: conversationId };
    return this.#core.ask('acknowledgment', payload, ['acknowledged'], { isRepeatable: true });
  }

  /** Tells the others that something is being written. Call it at each key: it says so every 3 s at most. */
  typing(conversationId: string): void {
    if (this.#typing.allows(conversationId)) this.#core.hint('typing', { conversation_id: conversationId });
  }

  rename(conversationId: string, name: string): Promise<Frames['conversation-renamed']> {
    const payload = { conversation_id: conversationId, name };
    return this.#core.ask('rename-conversation', payload, ['conversation-renamed']);
  }

  /** Leaves a group or channel, or hides a dm until its next message. */
  leave(conversationId: string): Promise<Frames['conversation-removed']> {
    return this.#core.ask('leave-conversation', { conversation_id: conversationId }, ['conversation-removed']);
  }

  addMember(conversationId: string, account: string): Promise<Frames['member-added']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.ask('add-member', payload, ['member-added']);
  }

  removeMember(conversationId: string, account: string): Promise<Frames['member-removed']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.ask('remove-member', payload, ['member-removed']);
  }

  addModerator(conversationId: string, account: string): Promise<Frames['moderator-added']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.ask('add-moderator', payload, ['moderator-added']);
  }

  removeModerator(conversationId: string, account: string): Promise<Frames['moderator-removed']> {
    const payload = { conversation_id: conversationId, username: account };
    return this.#core.ask('remove-moderator', payload, ['moderator-removed']);
  }

  /** Where the other side has asked before, both are friends at once. */
  requestFriendship(account: string): Promise<Frames['friendship-requested' | 'friendship-accepted']> {
    const answers = ['friendship-requested', 'friendship-accepted'] as const;
    return this.#core.ask('request-friendship', { username: account }, answers);
  }

  acceptFriendship(requestId: string): Promise<Frames['friendship-accepted']> {
    return this.#core.ask('accept-friendship', { id: requestId }, ['friendship-accepted']);
  }

  /** Refuses a request, or takes back one's own. */
  rejectFriendship(requestId: string): Promise<Frames['friendship-rejected']> {
    return this.#core.ask('reject-friendship', { id: requestId }, ['friendship-rejected']);
  }

  removeFriendship(account: string): Promise<Frames['friendship-removed']> {
    return this.#core.ask('remove-friendship', { username: account }, ['friendship-removed']);
  }

  block(account: string): Promise<Frames['user-blocked']> {
    return this.#core.ask('block-user', { username: account }, ['user-blocked']);
  }

  unblock(account: string): Promise<Frames['user-unblocked']> {
    return this.#core.ask('unblock-user', { username: account }, ['user-unblocked']);
  }
}
