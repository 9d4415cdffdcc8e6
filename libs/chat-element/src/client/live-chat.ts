import type { Chat } from '@waggle/client/browser';
import { Messages } from './messages';
import { History } from './history';
import { Conversations } from './conversations';
import { People } from './people';
import { Account } from './account';
import type { DataStore } from '../store/data-store';
import type { Store } from '../store/store';
import type { BrowserMemory } from './browser-memory';
import type { ClientState } from './client-state';
import { Synchronization } from './synchronization';

/** The chat of an account that is signed in: what can be done, by feature. */
export class LiveChat {
  readonly messages: Messages;
  readonly history: History;
  readonly conversations: Conversations;
  readonly people: People;
  readonly account: Account;
  readonly #synchronization: Synchronization;

  constructor(
    readonly chat: Chat,
    store: Store<ClientState>,
    readonly memory: BrowserMemory,
  ) {
    const data: DataStore = {
      get data() {
        return store.state.data;
      },
      update: (change) => {
        store.update((state) => {
          const changed = change(state.data);
          return changed === state.data ? state : { ...state, data: changed };
        });
      },
    };
    this.messages = new Messages(chat, data, memory);
    this.history = new History(chat, data);
    this.conversations = new Conversations(chat, data, memory);
    this.people = new People(chat, data, memory);
    this.account = new Account(chat, data);
    this.#synchronization = new Synchronization(chat, store, data, this);
  }

  start(): Promise<void> {
    return this.#synchronization.start();
  }

  stop(): void {
    this.#synchronization.stop();
  }
}
