import {
  Chat,
  type Conversation,
  logIn,
  type Message,
  type StreamPosition,
  type Session,
  type StoredMessage,
} from '@waggle/client';
import { signAs } from '@waggle/running';
import { type Front } from '@waggle/testing';
import { type Hearing } from '../observation';
import { type Saboteur } from '../sabotage';
import { forgetfulSocket } from './forgetful-socket';
import { HeldMessages, toHeard } from './held-messages';
import { fetchAnew } from './fetch-anew';
import { patienceOf } from './patience';

/** A user of the library, behind a front of its own: keeps every message that it hears. */
export class LibraryClient {
  private readonly chat: Chat;
  readonly #held = new HeldMessages();
  /** How often a connection, or an attempt at one, has ended with which close code. */
  readonly lostWith = new Map<number, number>();
  /** How often it came back and was told what it had missed; and how often it had to fetch it. */
  readonly returns = { resumed: 0, refetched: 0 };
  /** What must not happen and is not about messages. */
  readonly failures: string[] = [];
  /** Channels that it hears without being a member. */
  readonly #followed: string[] = [];
  #hasForgotten = false;
  #saboteur: Saboteur | undefined;
  #fetching: Promise<void> = Promise.resolve();

  private constructor(
    session: Session,
    index: number,
    readonly front: Front,
  ) {
    const chat = new Chat({
      session,
      ...patienceOf(index),
      WebSocket: forgetfulSocket(() => this.#hasForgotten),
    });
    this.chat = chat;
    chat.on('chat-message', (message, place) => {
      this.#hear(message, place);
    });
    chat.on('disconnected', ({ code }) => {
      this.lostWith.set(code, (this.lostWith.get(code) ?? 0) + 1);
    });
    chat.on('resumed', () => {
      this.returns.resumed += 1;
    });
    chat.on('state-lost', () => {
      this.returns.refetched += 1;
      this.#hasForgotten = false;
      void this.#refetch();
    });
    chat.on('ended', ({ reason, cause }) => {
      if (reason !== 'closed') this.failures.push(`${this.account} ended: ${reason} ${String(cause)}`);
    });
    chat.on('unknown-frame', ({ frame }) => {
      this.failures.push(`${this.account} does not know ${JSON.stringify(frame)}`);
    });
  }

  /** Logged in and connected. @param index of the client: decides how patient it is */
  static async connect(account: string, index: number, front: Front): Promise<LibraryClient> {
    const url = `http://127.0.0.1:${front.port}`;
    const session = await logIn({ url, account, sign: (text) => signAs(account, text) });
    const client = new LibraryClient(session, index, front);
    await client.chat.connect();
    return client;
  }

  get account(): string {
    return this.chat.account;
  }

  get isConnected(): boolean {
    return this.chat.state === 'connected';
  }

  /** How many messages wait to be stored. */
  get waiting(): number {
    return this.chat.outbox.length;
  }

  /** For a WebSocket without the library. */
  get webSocketToken(): string {
    return this.chat.session.tokens.webSocketToken;
  }

  get hearing(): Hearing {
    return { kind: 'client', who: this.account, account: this.account, heard: this.#held.heard };
  }

  get heardCount(): number {
    return this.#held.heard.length;
  }

  /** Whether it has heard the message with that mark. */
  holds(mark: string): boolean {
    return this.#held.has(mark);
  }

  send(conversationId: string, text: string): Promise<StoredMessage> {
    return this.chat.send(conversationId, text);
  }

  /** In the dm of the two, which is made where there is none. */
  sendTo(account: string, text: string): Promise<StoredMessage> {
    return this.chat.sendTo(account, text);
  }

  createGroup(
    accounts: readonly string[],
    text: string,
  ): Promise<{ conversation: Conversation; message: StoredMessage }> {
    return this.chat.createGroup(accounts, text);
  }

  async createChannel(name: string): Promise<string> {
    return (await this.chat.untilAnswered(() => this.chat.api.createChannel(name))).id;
  }

  /** Hears the channel from now on, without being a member. */
  async follow(channelId: string): Promise<void> {
    await this.chat.untilAnswered(() => this.chat.api.conversation(channelId));
    this.#followed.push(channelId);
  }

  /** Forgets how far it has heard: at its next connection it cannot resume, and has to fetch what it has missed. */
  forget(): void {
    this.#hasForgotten = true;
  }

  /** From now on what it hears goes past the saboteur. */
  spoil(saboteur: Saboteur): void {
    this.#saboteur = saboteur;
  }

  close(): Promise<void> {
    return this.chat.close();
  }

  #hear(message: Message, place: StreamPosition | undefined): void {
    const heard = toHeard(message, place?.seq);
    for (const each of this.#saboteur?.pass(heard) ?? [heard]) this.#held.add(each);
  }

  /** What the library asks for when the service cannot tell what was missed; events are held back meanwhile. */
  async #refetch(): Promise<void> {
    await this.chat.holdEvents(() => {
      this.#fetching = this.#fetching.then(() => this.#fetch());
      return this.#fetching;
    });
  }

  async #fetch(): Promise<void> {
    try {
      // What was fetched counts as heard.
      const { kept, messages } = await fetchAnew(this.chat, this.#followed, this.#held);
      this.#held.dropBeyond(kept);
      for (const message of messages)
        for (const each of this.#saboteur?.passFetched(message) ?? [message]) this.#held.add(each);
    } catch (error) {
      this.failures.push(`${this.account} cannot fetch what it has missed: ${String(error)}`);
    }
  }
}
