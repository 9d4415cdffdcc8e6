import { type Chat, type ChatEvents, EndedError, type Listener, RejectedError } from '@waggle/client/browser';
import { type AppliedEvent, eventHandlers, type EventHandlers } from '../store/apply-event';
import { changeConversation, fetchedConversation } from '../store/conversation-changes';
import { loadedData } from '../store/loaded-data';
import { withoutExpiredTyping } from '../store/typing';
import type { Store } from '../store/store';
import type { ClientState } from './client-state';
import type { DataStore } from '../store/data-store';
import type { LiveChat } from './live-chat';

/** How often to check for accounts that have stopped typing. */
const typingCheckMs = 1_000;

/**
 * Keeps the data equal to the service's: fetches it, applies events, and refetches conversations that an event does not
 * fully describe.
 */
export class Synchronization {
  readonly #stops: (() => void)[] = [];
  readonly #fetching = new Set<string>();

  constructor(
    private readonly chat: Chat,
    private readonly store: Store<ClientState>,
    private readonly dataStore: DataStore,
    private readonly live: Pick<LiveChat, 'conversations' | 'messages' | 'history' | 'people'>,
  ) {}

  async start(): Promise<void> {
    const { chat } = this;
    for (const event of appliedEvents) this.#applyOn(event, eventHandlers[event]);
    this.#on('sent', ({ outgoing, message }) => {
      this.live.messages.onSent(outgoing.clientId, message);
    });
    this.#on('not-sent', ({ outgoing, error }) => {
      this.live.messages.onNotSent(outgoing.clientId, error);
    });
    this.#on('connected', () => {
      this.#setConnection('connected');
    });
    this.#on('disconnected', () => {
      if (this.store.state.connection === 'connected') this.#setConnection('reconnecting');
      // After a reconnect the service reports only friends who are online, so forget all of them now.
      this.dataStore.update((data) => ({ ...data, online: new Set() }));
    });
    this.#on('state-lost', () => void this.#load().catch(ignoreEnd));
    this.#watchNetwork();
    const timer = setInterval(() => {
      this.dataStore.update((data) => withoutExpiredTyping(data, Date.now()));
    }, typingCheckMs);
    this.#stops.push(() => {
      clearInterval(timer);
    });
    try {
      await chat.connect();
      await this.#load();
    } catch (error) {
      ignoreEnd(error);
    }
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #load(): Promise<void> {
    const followed = this.live.conversations.followed;
    await this.chat.retryWhileUnreachable(async () => {
      const state = await this.chat.fetchState({ followed });
      const opened = [...this.dataStore.data.windows.keys()];
      this.dataStore.update((data) => loadedData(data, state));
      this.live.messages.restore();
      this.live.people.dropAccepted();
      for (const id of opened) void this.live.history.open(id);
    });
    this.store.update((state) => (state.phase === 'loading' ? { ...state, phase: 'ready' } : state));
  }

  #applyOn<E extends AppliedEvent>(event: E, handler: EventHandlers[E]): void {
    this.#on(event, (payload, position) => {
      this.dataStore.update((data) => handler(data, payload, position));
      this.#fetchStale();
    });
  }

  #fetchStale(): void {
    for (const { id, isStale } of this.dataStore.data.conversations.values()) {
      if (isStale && !this.#fetching.has(id)) void this.#fetch(id);
    }
  }

  /**
   * Fetches a conversation while events are held. Events that the fetch contains are not skipped, because loaded
   * messages change only by events.
   */
  async #fetch(id: string): Promise<void> {
    this.#fetching.add(id);
    try {
      await this.chat.retryWhileUnreachable(() =>
        this.chat.holdEvents(async () => {
          const fetched = await this.chat.api.conversation(id, { extended: true });
          this.dataStore.update((data) => changeConversation(data, id, (known) => fetchedConversation(fetched, known)));
        }),
      );
    } catch (error) {
      // This account was removed from the conversation meanwhile; `conversation-removed` follows.
      if (!(error instanceof RejectedError && error.code === 'not-found')) ignoreEnd(error);
    } finally {
      this.#fetching.delete(id);
    }
  }

  #watchNetwork(): void {
    const noteOnline = () => {
      this.store.update((state) => ({ ...state, isOnline: navigator.onLine }));
    };
    const retry = () => {
      noteOnline();
      this.chat.retryNow();
    };
    noteOnline();
    const onVisible = () => {
      if (document.visibilityState === 'visible') retry();
    };
    addEventListener('online', retry);
    // Probes the connection, so that a loss is noticed early.
    addEventListener('offline', retry);
    document.addEventListener('visibilitychange', onVisible);
    this.#stops.push(() => {
      removeEventListener('online', retry);
      removeEventListener('offline', retry);
      document.removeEventListener('visibilitychange', onVisible);
    });
  }

  #setConnection(connection: ClientState['connection']): void {
    this.store.update((state) => ({ ...state, connection }));
  }

  #on<E extends keyof ChatEvents>(event: E, listener: Listener<ChatEvents[E]>): void {
    this.#stops.push(this.chat.on(event, listener));
  }
}

/** Typed keys of `eventHandlers`; the filter only narrows the type. */
const appliedEvents = Object.keys(eventHandlers).filter((event): event is AppliedEvent => event in eventHandlers);

/** Ignores that the chat has ended; `ChatClient` handles `ended`. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof EndedError)) throw error;
}
