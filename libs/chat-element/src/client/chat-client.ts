import { Chat, logIn, type RichMessage, RequestRetries, type Session } from '@waggle/client/browser';
import { type Appearance, onAppearanceChange, readAppearance, writeAppearance } from './appearance';
import { firstCopy } from './first-copy';
import { countsAsMention } from '../store/mentioned';
import { Notifications } from './notifications';
import { SavedSession } from './saved-session';
import type { SignInMethod } from './sign-in-method';
import { languageOf, languageOfElement } from '../i18n/texts';
import { previewOf } from '../text/preview';
import { emptyChatData } from '../store/chat-data';
import { Store } from '../store/store';
import { BrowserStorage } from './browser-storage';
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
  readonly #storage: BrowserStorage;
  readonly #saved: SavedSession;
  readonly #retries = new RequestRetries();
  #isRestoring = false;
  #live: LiveChat | undefined;
  #starting: Promise<void> | undefined;

  /** @param server address of the service, also relative to the page */
  constructor(server: string) {
    this.url = urlOf(server);
    this.#storage = new BrowserStorage(`waggle:${this.url}:`);
    this.notifications = new Notifications(this.#storage);
    this.#saved = new SavedSession(this.url, this.#storage, new URL(this.url).origin === location.origin);
    this.#set({ appearance: readAppearance(this.#storage) });
    onAppearanceChange(this.#storage, (appearance) => {
      this.#set({ appearance });
    });
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

  /** @throws SignInError, RejectedError, UnreachableError */
  async signIn(account: string, method: SignInMethod): Promise<void> {
    const { byCookies, save } = this.#saved;
    // A log-out that succeeds later would end the new session of the cookies.
    await this.#saved.end();
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

  /** Ends the session at the service, and with it the connections of other tabs. Retries, also after a reload. */
  async signOut(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    const { session } = live.chat;
    const isEnding = this.#saved.startEnding(session.tokens);
    this.#close(live);
    if (isEnding) await this.#restore();
    // Otherwise the cookies belong to the session of another tab.
    else if (!this.#saved.byCookies) await this.#retries.run(() => session.logOut());
  }

  async #start(): Promise<void> {
    this.#saved.onChange(() => {
      const live = this.#live;
      const hasSignedOut = this.#saved.status === 'ending' && live !== undefined;
      if (hasSignedOut && this.#saved.isOf(live.chat.session.tokens)) this.#close(live);
      if (this.#live === undefined) void this.#restore();
    });
    addEventListener('online', () => {
      this.#retries.skip();
    });
    const configure = async (): Promise<void> => {
      this.#set({ config: await fetchServerConfig(this.url) });
    };
    // Continuing a session, and signing in with a wallet, need no configuration.
    await configure().catch(() => void this.#retries.run(configure));
    await this.#restore();
  }

  /** Repeats at once what failed or waits to be repeated. */
  retry(): void {
    this.#retries.skip();
    this.#live?.retry();
  }

  /** Changes how the chat looks in this browser, in all its tabs. */
  changeAppearance(change: Partial<Appearance>): void {
    const appearance = { ...this.store.state.appearance, ...change };
    writeAppearance(this.#storage, appearance);
    this.#set({ appearance });
  }

  /** Continues the saved session, or ends it if the user signed out; retries until the service responds. */
  async #restore(): Promise<void> {
    this.#retries.skip();
    if (this.#isRestoring) return;
    this.#isRestoring = true;
    let session: Session | undefined;
    let failure: string | undefined;
    try {
      session = await this.#retries.run(() => this.#tryToRestore());
    } catch (error) {
      failure = errorCodeOf(error);
    }
    this.#isRestoring = false;
    // Otherwise the user signed in meanwhile.
    if (this.#live !== undefined) return;
    if (session !== undefined) await this.#open(session);
    else this.#set({ phase: 'signed-out', retryReason: undefined, ...(failure !== undefined && { failure }) });
  }

  async #tryToRestore(): Promise<Session | undefined> {
    if (this.#live !== undefined) return undefined;
    this.#set({ phase: this.#saved.status === 'active' ? 'starting' : 'signed-out' });
    try {
      return await this.#saved.restore();
    } catch (error) {
      this.#set({ retryReason: errorCodeOf(error) });
      throw error;
    }
  }

  async #open(session: Session): Promise<void> {
    const { account } = session;
    // Another tab may have signed in meanwhile.
    if (this.#live !== undefined) this.#close(this.#live);
    this.#set({
      phase: 'loading',
      failure: undefined,
      retryReason: undefined,
      connection: 'connecting',
      data: emptyChatData(account),
    });
    const storage = new BrowserStorage(`${this.#storage.prefix}${account}:`);
    const outbox = new OutboxStorage(storage, 'locks' in navigator ? navigator.locks : undefined);
    const chat = new Chat({ session, outbox: { store: outbox } });
    const live = new LiveChat(chat, this.store, storage);
    this.#live = live;
    chat.on('chat-message', (message) => {
      this.#notify(live, message);
    });
    chat.on('ended', ({ reason }) => {
      outbox.release();
      if (this.#live !== live) return;
      if (reason !== 'no-websocket' && this.#saved.isOf(session.tokens)) this.#saved.forget();
      this.#close(live, reason === 'closed' ? undefined : reason);
    });
    await live.start();
  }

  /**
   * Shows a desktop notification of a live message. Messages that were missed while the connection was lost could be
   * too many.
   */
  #notify(live: LiveChat, message: RichMessage): void {
    const { id, conversation_id: conversationId, from, content } = message;
    const { connection, config, data } = this.store.state;
    if (from === data.account || connection !== 'connected') return;
    const conversation = data.conversations.get(conversationId);
    if (conversation?.muted === true && !countsAsMention(message, data, conversation)) return;
    const { texts } = languageOf(languageOfElement(document.documentElement));
    void this.notifications.show(id, from, previewOf(content, config.attachmentHosts, texts), () => {
      if (this.#live === live) this.#set({ requested: { id: conversationId } });
    });
  }

  /** Leaves the chat of the account. @param failure why, unless the user signed out */
  #close(live: LiveChat, failure?: string): void {
    this.#live = undefined;
    live.stop();
    void live.chat.close();
    this.#set({
      phase: 'signed-out',
      failure,
      retryReason: undefined,
      requested: undefined,
      data: emptyChatData(''),
    });
  }

  #set(change: Partial<ClientState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

const clients = new Map<string, ChatClient>();

/** The client of a service: the same one for all elements of the page. */
export const sharedClient = (firstCopy.sharedClient ??= (server) => {
  const url = urlOf(server);
  const known = clients.get(url);
  if (known !== undefined) return known;
  const client = new ChatClient(url);
  clients.set(url, client);
  void client.start();
  return client;
});

/** The absolute address, without a slash at its end. */
function urlOf(server: string): string {
  return new URL(server, location.href).href.replace(/\/+$/, '');
}
