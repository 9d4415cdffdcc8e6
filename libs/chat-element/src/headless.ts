import type { Chat, ExtendedConversation, MessageWithSeq, Pin } from '@waggle/client/browser';
import { BrowserStorage } from './client/browser-storage';
import { initialState, type ClientState } from './client/client-state';
import { LiveChat } from './client/live-chat';
import { emptyChatData } from './store/chat-data';
import { emptyWindow, endSeqOf } from './store/message-window';
import { Store } from './store/store';

// The declarations name no other file of this package: TypeScript resolves its relative imports only for bundlers.

/** What the elements show of a conversation. */
export interface ShownConversation extends Pick<
  ExtendedConversation,
  'id' | 'type' | 'members' | 'muted' | 'favourite'
> {
  unreadCount: number;
  mentionCount: number;
  lastMessage: { id: string; content: string } | undefined;
  /** The loaded messages, in ascending order: all after `startSeq` and up to `endSeq`. Undefined if it is not open. */
  messages: readonly MessageWithSeq[] | undefined;
  startSeq: number;
  endSeq: number;
  /** Undefined until they are fetched. */
  pins: readonly Pin[] | undefined;
}

/** A chat as the elements hold it: what was fetched, changed by events. For tests in Node.js. */
export class HeadlessChat {
  readonly #store: Store<ClientState>;
  readonly #live: LiveChat;

  constructor(readonly chat: Chat) {
    this.#store = new Store({ ...initialState, data: emptyChatData(chat.account) });
    this.#live = new LiveChat(chat, this.#store, new BrowserStorage(`${chat.account}:`));
    // Elements do so when they render an open conversation.
    this.#store.subscribe(() => {
      for (const id of this.#store.state.data.windows.keys()) this.#live.opened.fetchMissing(id);
    });
  }

  get conversations(): ShownConversation[] {
    const { conversations, windows, pins } = this.#store.state.data;
    return Array.from(conversations.values(), ({ id, lastMessage, ...conversation }) => {
      const { type, members, muted, favourite, unreadCount, mentionCount } = conversation;
      const window = windows.get(id) ?? emptyWindow;
      return {
        ...{ id, type, members, muted, favourite, unreadCount, mentionCount },
        lastMessage: lastMessage && { id: lastMessage.id, content: lastMessage.content },
        messages: windows.get(id)?.messages,
        startSeq: window.startSeq,
        endSeq: endSeqOf(window),
        pins: pins.get(id),
      };
    });
  }

  /** Connects, and resolves when the conversations are loaded. */
  start(): Promise<void> {
    return this.#live.start();
  }

  /** Opens a conversation, as when the user selects it. */
  open(id: string): Promise<void> {
    return this.#live.history.open(id);
  }

  async stop(): Promise<void> {
    this.#live.stop();
    await this.chat.close();
  }
}
