import { Chat, logIn, type Message, type Session } from '@waggle/client/browser';
import { Notifications } from './notifications';
import { SavedSession } from './saved-session';
import type { SignInMethod } from './sign-in-method';
import { emptyChatData } from '../store/chat-data';
import { Store } from '../store/store';
import { BrowserMemory } from './browser-memory';
import { initialState, type ClientState } from './client-state';
import { errorCodeOf } from './error-code';
import { LiveChat } from './live-chat';
import { OutboxStorage } from './outbox-storage';
import { fetchServerConfig } from './server-config';

/** The chat of one service in this page, which all elements for that service share. */
export class ChatClient {
  readonly store = new Store<ClientState>(initialState);
  readonly url: string;
  readonly notifications: Notifications;
  readonly #memory: BrowserMemory;
  readonly #saved: SavedSession;
  #live: LiveChat | undefined;
  #starting: Promise<void> | undefined;

  constructor(server: string) {
    this.url = urlOf(server);
    this.#memory = new BrowserMemory(`waggle:${this.url}:`);
    this.notifications = new Notifications(this.#memory);
    this.#saved = new SavedSession(this.url, this.#memory);
  }

  /** The chat of the account that is signed in. */
  get live(): LiveChat | undefined {
    return this.#live;
  }

  /** Reads the configuration of the service and continues a session, if there is one. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** @throws SignInError, RefusedError, UnreachableError */
  async signIn(account: string, method: SignInMethod): Promise<void> {
    const { byCookies, save } = this.#saved;
    const session = await logIn({
      url: this.url,
      account,
      sign: (text) => method.sign(account, text),
      onRenewed: save,
      byCookies,
    });
    save(session.tokens);
    await this.#open(session);
  }

  /** Ends the session at the service, and with it the connections of other tabs. */
  async signOut(): Promise<void> {
    const live = this.#live;
    this.#forget(undefined);
    await live?.chat.logOut();
  }

  async #start(): Promise<void> {
    this.#saved.onChange(() => {
      if (this.store.state.phase === 'signed-out') void this.#restore();
    });
    const config = await fetchServerConfig(this.url);
    this.#set({ config });
    await this.#restore();
  }

  async #restore(): Promise<void> {
    try {
      const session = await this.#saved.restore();
      if (session === undefined) this.#set({ phase: 'signed-out' });
      else await this.#open(session);
    } catch (error) {
      this.#set({ phase: 'signed-out', failure: errorCodeOf(error) });
    }
  }

  async #open(session: Session): Promise<void> {
    const { account } = session;
    this.#set({ phase: 'loading', failure: undefined, connection: 'connecting', data: emptyChatData(account) });
    const memory = new BrowserMemory(`${this.#memory.prefix}${account}:`);
    const outbox = new OutboxStorage(memory, 'locks' in navigator ? navigator.locks : undefined);
    const chat = new Chat({ session, outbox: { store: outbox } });
    const live = new LiveChat(chat, this.store, memory);
    this.#live = live;
    chat.on('chat-message', (message) => {
      this.#notify(message);
    });
    chat.on('ended', ({ reason }) => {
      outbox.release();
      if (this.#live === live) this.#forget(reason === 'closed' ? undefined : reason);
    });
    await live.start();
  }

  /** Shows what happens now; what was missed while the connection was lost would be too much. */
  #notify({ id, conversation_id: conversationId, from, content }: Message): void {
    const { connection, data } = this.store.state;
    if (from === data.account || connection !== 'connected') return;
    void this.notifications.show(id, from, content.slice(0, 200), () => {
      this.#set({ requested: { id: conversationId } });
    });
  }

  #forget(failure: string | undefined): void {
    this.#live?.stop();
    this.#live = undefined;
    this.#saved.forget();
    this.#set({ phase: 'signed-out', failure, data: emptyChatData('') });
  }

  #set(change: Partial<ClientState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

const clients = new Map<string, ChatClient>();

/** The client of a service: the same one for all elements of the page. */
export function sharedClient(server: string): ChatClient {
  const url = urlOf(server);
  const known = clients.get(url);
  if (known !== undefined) return known;
  const client = new ChatClient(url);
  clients.set(url, client);
  void client.start();
  return client;
}

/** The absolute address, without a slash at its end. */
function urlOf(server: string): string {
  return new URL(server, location.href).href.replace(/\/+$/, '');
}
