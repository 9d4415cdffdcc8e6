import {
  type Chat,
  ChatClientError,
  type ChatEvents,
  EndedError,
  type Listener,
  RejectedError,
} from '@waggle/client/browser';
import { type AppliedEvent, eventHandlers, type EventHandlers } from '../store/apply-event';
import { withHistoryChange } from '../store/history-changes';
import { changeConversation, fetchedConversation } from '../store/conversation-changes';
import { loadedData } from '../store/loaded-data';
import { withoutExpiredTyping } from '../store/typing';
import type { Store } from '../store/store';
import type { ClientState } from './client-state';
import { errorCodeOf } from './error-code';
import type { DataStore } from '../store/chat-data';
import type { LiveChat } from './live-chat';

/** How often to check for accounts that stopped typing. */
const typingCheckMs = 1_000;

/**
 * Keeps the data equal to the service's: fetches it, applies events, and refetches conversations that an event does not
 * fully describe.
 */
export class Synchronization {
  readonly #stops: (() => void)[] = [];
  readonly #fetching = new Set<string>();
  #lastLoad: symbol | undefined;
  /** Whether the last load failed for a reason that a retry may not resolve. */
  #hasFailed = false;

  constructor(
    private readonly chat: Chat,
    private readonly store: Store<ClientState>,
    private readonly dataStore: DataStore,
    private readonly live: Pick<LiveChat, 'conversations' | 'drafts' | 'messages' | 'history' | 'people'>,
  ) {}

  async start(): Promise<void> {
    const { chat } = this;
    for (const event of appliedEvents) this.#applyOn(event, eventHandlers[event]);
    this.#on('sent', ({ outgoing, message }) => {
      this.live.messages.onSent(outgoing.clientId, message);
    });
    this.#on('not-sent', ({ outgoing, error }) => {
      this.live.messages.onNotSent(outgoing, error);
    });
    this.#on('connected', () => {
      this.#change({ connection: 'connected' });
      this.#repeatFailed();
      if (this.store.state.phase === 'ready') void this.#loadDrafts();
    });
    this.#on('disconnected', () => {
      if (this.store.state.connection === 'connecting') this.#change({ retryReason: 'UnreachableError' });
      else this.#change({ connection: 'reconnecting' });
      // After a reconnect the service reports only friends who are online, so forget all of them now.
      this.dataStore.update((data) => ({ ...data, online: new Set() }));
    });
    this.#on('state-lost', () => void this.#load());
    // Node.js has no events about the network.
    if ('document' in globalThis) this.#watchNetwork();
    const timer = setInterval(() => {
      this.dataStore.update((data) => withoutExpiredTyping(data, performance.now()));
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

  retry(): void {
    this.chat.retryNow();
    this.#repeatFailed();
  }

  stop(): void {
    this.#lastLoad = undefined;
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Fetches everything, unless another load starts meanwhile: its state is newer. */
  async #load(): Promise<void> {
    const load = Symbol('load');
    this.#lastLoad = load;
    this.#hasFailed = false;
    try {
      await this.chat.retryWhileUnreachable(() => this.#fetchState(load));
    } catch (error) {
      this.#hasFailed = this.#lastLoad === load;
      if (!(error instanceof ChatClientError)) throw error;
    }
  }

  async #fetchState(load: symbol): Promise<void> {
    const { conversations, drafts, messages, people, history } = this.live;
    try {
      const [state] = await Promise.all([
        this.chat.fetchState({ followed: conversations.followed, unread: false }),
        drafts.load(),
      ]);
      if (this.#lastLoad !== load) return;
      const opened = [...this.dataStore.data.windows.keys()];
      this.dataStore.update((data) => loadedData(data, state));
      messages.restore();
      people.dropAccepted();
      drafts.saveAll();
      const { conversations: loaded } = this.dataStore.data;
      for (const id of opened) if (loaded.has(id)) void history.open(id);
      this.#change({ phase: 'ready', retryReason: undefined });
    } catch (error) {
      if (this.#lastLoad === load) this.#change({ retryReason: errorCodeOf(error) });
      throw error;
    }
  }

  async #loadDrafts(): Promise<void> {
    await this.live.drafts.load();
    this.live.drafts.saveAll();
  }

  #repeatFailed(): void {
    if (this.#hasFailed) void this.#load();
    for (const id of this.dataStore.data.windows.keys()) void this.live.history.retry(id);
  }

  #applyOn<E extends AppliedEvent>(event: E, handler: EventHandlers[E]): void {
    this.#on(event, (payload, position) => {
      this.dataStore.update((data) => withHistoryChange(handler(data, payload, position), event, payload, position));
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
    const updateOnline = (): void => {
      this.store.update((state) => ({ ...state, isOnline: navigator.onLine }));
    };
    // Also when offline: `retryNow` probes the connection, so that a loss is noticed early.
    const onChange = (): void => {
      updateOnline();
      this.chat.retryNow();
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') onChange();
    };
    updateOnline();
    addEventListener('online', onChange);
    addEventListener('offline', onChange);
    document.addEventListener('visibilitychange', onVisible);
    this.#stops.push(() => {
      removeEventListener('online', onChange);
      removeEventListener('offline', onChange);
      document.removeEventListener('visibilitychange', onVisible);
    });
  }

  #change(change: Partial<ClientState>): void {
    this.store.update((state) => ({ ...state, ...change }));
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
