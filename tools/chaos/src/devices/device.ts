import { Chat, logIn, type MessageWithSeq, type Session } from '@waggle/client';
import { HeadlessChat, type ShownConversation } from '@waggle/chat-element/headless';
import { signAs } from '@waggle/running';
import { backoff, invalidCursorSocket, type LibraryClient } from '../clients/library-client';
import { type Shown } from '../observation';
import { textsOf } from './texts';

/** A second device of an account: the chat of the elements, over the connections of the account's proxy. */
export class Device {
  private readonly headless: HeadlessChat;
  private isCursorInvalid = false;
  private opening: Promise<void> | undefined;
  /** How often its connection was lost, or could not be made. */
  disconnects = 0;
  readonly failures: string[] = [];

  private constructor(session: Session) {
    const WebSocket = invalidCursorSocket(() => this.isCursorInvalid);
    const chat = new Chat({ session, backoff, WebSocket });
    chat.on('disconnected', () => {
      this.disconnects += 1;
    });
    chat.on('state-lost', () => {
      this.isCursorInvalid = false;
    });
    chat.on('ended', ({ reason, cause }) => {
      if (reason !== 'closed') this.failures.push(`the device of ${chat.account} ended: ${reason} ${String(cause)}`);
    });
    this.headless = new HeadlessChat(chat);
  }

  /** Logs in and connects. */
  static async connect(client: LibraryClient): Promise<Device> {
    const { account, proxy } = client;
    const url = `http://127.0.0.1:${proxy.port}`;
    const device = new Device(await logIn({ url, account, sign: (text) => signAs(account, text) }));
    client.device = device;
    await device.headless.start();
    return device;
  }

  get account(): string {
    return this.chat.account;
  }

  get chat(): Chat {
    return this.headless.chat;
  }

  get conversations(): ShownConversation[] {
    return this.headless.conversations;
  }

  /** Opens a conversation, unless another one is being loaded. */
  open(id: string): void {
    this.opening ??= this.headless.open(id).finally(() => {
      this.opening = undefined;
    });
  }

  /** Makes the next resume fail. */
  invalidateCursor(): void {
    this.isCursorInvalid = true;
  }

  stop(): Promise<void> {
    return this.headless.stop();
  }

  get shown(): Shown {
    return Object.fromEntries(
      this.conversations.map((conversation) => [
        conversation.id,
        textsOf(conversation, conversation.messages ?? [], conversation.pins ?? []),
      ]),
    );
  }

  /** Fetches what it should show: of the histories the parts that it has loaded. */
  async fetch(): Promise<Shown> {
    const loaded = new Map(this.conversations.map((conversation) => [conversation.id, conversation]));
    const { chat } = this;
    const fetched: Shown = {};
    for (const conversation of await chat.retryWhileUnreachable(() => chat.api.conversations({ extended: true }))) {
      const { unread_count: unreadCount, mention_count: mentionCount, last_message: lastMessage, id } = conversation;
      const { messages, pins } = await chat.retryWhileUnreachable(() => this.fetchParts(id, loaded.get(id)));
      fetched[id] = textsOf({ ...conversation, unreadCount, mentionCount, lastMessage }, messages, pins);
    }
    return fetched;
  }

  private async fetchParts(id: string, loaded: ShownConversation | undefined) {
    const messages: MessageWithSeq[] = [];
    if (loaded !== undefined && loaded.startSeq < Infinity)
      for await (const message of this.chat.api.history(id, { extended: true, pageSize: 200 })) {
        if (message.seq <= loaded.startSeq) break;
        if (message.seq <= loaded.endSeq) messages.push(message);
      }
    // Those of a conversation that was open are still shown in it.
    const hasPins = loaded?.messages !== undefined || loaded?.pins !== undefined;
    return { messages, pins: hasPins ? await this.chat.api.pins(id) : [] };
  }
}
