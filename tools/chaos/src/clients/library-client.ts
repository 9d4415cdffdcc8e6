import {
  Chat,
  type ChatOptions,
  type Conversation,
  logIn,
  type Message,
  type StreamPosition,
  type Session,
  type StoredMessage,
  type WebSocketConstructor,
} from '@waggle/client';
import { signAs } from '@waggle/running';
import { type TcpProxy } from '@waggle/testing';
import { WebSocket } from 'ws';
import { type Receiver } from '../observation';
import { ReceivedMessages, toReceivedMessage } from './received-messages';
import { fetchMissed } from './fetch-missed';

/** Shorter pauses than the library's, so that clients reconnect within a run of some minutes. */
export const backoff = { firstMs: 100, maxMs: 3_000, resetAfterMs: 5_000 };

/** Short enough that slow responses often count as lost. */
const shortTimeLimits: NonNullable<ChatOptions['timeLimits']> = {
  openMs: 3_000,
  responseMs: 2_500,
  silenceMs: 3_000,
  probeMs: 1_500,
};

/** A client of the library that connects through its own TCP proxy and records every message that it receives. */
export class LibraryClient {
  private readonly chat: Chat;
  private readonly received = new ReceivedMessages();
  /** Lost connections and failed attempts, by close code. */
  readonly lostWith = new Map<number, number>();
  /** How often it resumed, and how often it had to fetch what it missed. */
  readonly reconnects = { resumed: 0, refetched: 0 };
  /** Failures that are not about messages: unexpected ends, unknown frames, failed reads. */
  readonly failures: string[] = [];
  /** Channels that it follows without being a member. */
  private readonly followed: string[] = [];
  private isCursorInvalid = false;
  private fetching: Promise<void> = Promise.resolve();
  /** A second device of the account. Its connections fail when this client's connections fail. */
  device: { invalidateCursor(): void } | undefined;

  private constructor(
    session: Session,
    index: number,
    readonly proxy: TcpProxy,
  ) {
    const chat = new Chat({
      session,
      backoff,
      ...(index % 2 === 1 && { timeLimits: shortTimeLimits }),
      WebSocket: invalidCursorSocket(() => this.isCursorInvalid),
    });
    this.chat = chat;
    chat.on('chat-message', (message, position) => {
      this.receive(message, position);
    });
    chat.on('disconnected', ({ code }) => {
      this.lostWith.set(code, (this.lostWith.get(code) ?? 0) + 1);
    });
    chat.on('resumed', () => {
      this.reconnects.resumed += 1;
    });
    chat.on('state-lost', () => {
      this.reconnects.refetched += 1;
      this.isCursorInvalid = false;
      void this.refetch();
    });
    chat.on('ended', ({ reason, cause }) => {
      if (reason !== 'closed') this.failures.push(`${this.account} ended: ${reason} ${String(cause)}`);
    });
    chat.on('unknown-frame', ({ frame }) => {
      this.failures.push(`${this.account} received an unknown frame ${JSON.stringify(frame)}`);
    });
  }

  /** Logs in and connects. @param index every second client has short time limits */
  static async connect(account: string, index: number, proxy: TcpProxy): Promise<LibraryClient> {
    const url = `http://127.0.0.1:${proxy.port}`;
    const session = await logIn({ url, account, sign: (text) => signAs(account, text) });
    const client = new LibraryClient(session, index, proxy);
    await client.chat.connect();
    return client;
  }

  get account(): string {
    return this.chat.account;
  }

  get isConnected(): boolean {
    return this.chat.state === 'connected';
  }

  /** The number of messages that are not acknowledged yet. */
  get pending(): number {
    return this.chat.outbox.length;
  }

  /** For a connection without the library. */
  get webSocketToken(): string {
    return this.chat.session.tokens.webSocketToken;
  }

  get receiver(): Receiver {
    return { kind: 'client', name: this.account, account: this.account, received: this.received.messages };
  }

  get receivedCount(): number {
    return this.received.messages.length;
  }

  hasReceived(tag: string): boolean {
    return this.received.has(tag);
  }

  /** The last message that it received of a conversation. */
  lastReceived(conversationId: string): string | undefined {
    return this.received.lastOf(conversationId);
  }

  send(conversationId: string, text: string, replyTo?: string): Promise<StoredMessage> {
    return this.chat.send(conversationId, text, replyTo === undefined ? {} : { replyTo });
  }

  /** Sends a direct message; creates the conversation if there is none. */
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
    return (await this.chat.retryWhileUnreachable(() => this.chat.api.createChannel(name))).id;
  }

  /** Follows a channel without becoming a member. */
  async follow(channelId: string): Promise<void> {
    await this.chat.retryWhileUnreachable(() => this.chat.api.conversation(channelId));
    this.followed.push(channelId);
  }

  /** Makes the next resume fail, so that it must fetch what it missed. */
  invalidateCursor(): void {
    this.isCursorInvalid = true;
    this.device?.invalidateCursor();
  }

  close(): Promise<void> {
    return this.chat.close();
  }

  private receive(message: Message, position: StreamPosition | undefined): void {
    this.received.add(toReceivedMessage(message, position?.seq));
  }

  /** Fetches what was missed after a failed resume. The library holds back events meanwhile. */
  private async refetch(): Promise<void> {
    await this.chat.holdEvents(() => {
      // Reads run one after another.
      this.fetching = this.fetching.then(() => this.fetch());
      return this.fetching;
    });
  }

  private async fetch(): Promise<void> {
    try {
      const { stableSeqs, messages } = await fetchMissed(this.chat, this.followed, this.received);
      this.received.removeAfter(stableSeqs);
      for (const message of messages) this.received.add(message);
    } catch (error) {
      this.failures.push(`${this.account} cannot fetch what it has missed: ${String(error)}`);
    }
  }
}

/**
 * Returns a WebSocket class that replaces the cursor of a resume by an invalid one, so that the service sends
 * `resume-failed`.
 */
export function invalidCursorSocket(isInvalid: () => boolean): WebSocketConstructor {
  return class extends WebSocket {
    override send(data: string): void {
      super.send(isInvalid() ? data.replace(/"resume":"[^"]*"/, '"resume":"invalid"') : data);
    }
  };
}
