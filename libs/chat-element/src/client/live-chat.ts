import type { Chat, Settings } from '@waggle/client/browser';
import { Drafts } from './drafts';
import { Messages } from './messages';
import { History } from './history';
import { Conversations } from './conversations';
import { OpenedConversation } from './opened-conversation';
import { People } from './people';
import type { DataStore } from '../store/chat-data';
import type { Store } from '../store/store';
import type { BrowserStorage } from './browser-storage';
import type { ClientState } from './client-state';
import { Synchronization } from './synchronization';

/**
 * The chat of the account that is signed in, from sign-in to sign-out: the actions that also change the store, by
 * feature, and the synchronization of the store with the service. All other actions are on `chat`.
 */
export class LiveChat {
  readonly messages: Messages;
  readonly drafts: Drafts;
  readonly history: History;
  readonly conversations: Conversations;
  readonly people: People;
  readonly opened: OpenedConversation;
  readonly #dataStore: DataStore;
  readonly #synchronization: Synchronization;
  #isStopped = false;

  constructor(
    readonly chat: Chat,
    store: Store<ClientState>,
    readonly storage: BrowserStorage,
  ) {
    this.#dataStore = {
      get data() {
        return store.state.data;
      },
      update: (change) => {
        // The store belongs to the next account.
        if (this.#isStopped) return;
        store.update((state) => {
          const changed = change(state.data);
          // The same state notifies no subscriber.
          return changed === state.data ? state : { ...state, data: changed };
        });
      },
    };
    this.messages = new Messages(chat, this.#dataStore, storage);
    this.drafts = new Drafts(chat, this.#dataStore, storage);
    this.history = new History(chat, this.#dataStore);
    this.conversations = new Conversations(chat, this.#dataStore, storage);
    this.opened = new OpenedConversation(chat, this.#dataStore);
    this.people = new People(chat, this.#dataStore, storage);
    this.#synchronization = new Synchronization(chat, store, this.#dataStore, this);
  }

  /** Connects and loads the data. Resolves when it is loaded, or the chat ends. */
  start(): Promise<void> {
    return this.#synchronization.start();
  }

  /** Changes settings of the account. @throws what `ChatApi` throws */
  async changeSettings(settings: Settings): Promise<void> {
    const changed = await this.chat.api.changeSettings(settings);
    this.#dataStore.update((data) => ({ ...data, settings: changed }));
  }

  /** Repeats what failed or waits to be repeated. */
  retry(): void {
    this.#synchronization.retry();
  }

  /** Ends the synchronization; the caller closes `chat`. */
  stop(): void {
    this.#isStopped = true;
    this.#synchronization.stop();
  }
}
