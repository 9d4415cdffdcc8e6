import type { Chat, Draft, Quote } from '@waggle/client/browser';
import type { ChatData, DataStore } from '../store/chat-data';
import { withDraft } from '../store/drafts';
import { type BrowserStorage, isRecord } from './browser-storage';
import { charactersLeft } from '../text/characters';

/** How long after the last key a draft is saved, in milliseconds. */
const saveAfterMs = 1_000;

/** How much later a draft has to be to replace what is unsaved: clocks differ, and a request takes a while. */
const minLaterMs = 2_000;

const keyPrefix = 'draft:';

/** What is in the field of a conversation. */
export interface Written {
  text: string;
  /** The message that it replies to. */
  replyTo: Quote | undefined;
}

/** What the service does not have. */
interface Unsaved extends Written {
  /** By the clock of this device, but later than the draft that it replaces. */
  writtenAtMs: number;
}

/**
 * The drafts of the account. The service has them, for all devices. What it does not have, or cannot have, is in the
 * browser's storage: what was written in the last second, while it was unreachable, in a channel without joining it,
 * and a reply without a text yet. Of several devices the last change wins.
 */
export class Drafts {
  readonly #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last one that was sent, by conversation, until the service says that it has it. */
  readonly #sent = new Map<string, Unsaved>();

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly storage: BrowserStorage,
  ) {}

  of(conversationId: string): Written {
    return this.#unsaved(conversationId) ?? savedIn(this.store.data, conversationId);
  }

  /** Changes the draft of a conversation. It is saved when the user pauses, or with `saveChanged`. */
  write(conversationId: string, written: Written): void {
    const saved = this.store.data.drafts.get(conversationId);
    const writtenAtMs = Math.max(Date.now(), saved === undefined ? 0 : Date.parse(saved.updated_at) + 1);
    this.storage.write(keyPrefix + conversationId, { ...written, writtenAtMs } satisfies Unsaved);
    this.#changed.add(conversationId);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.saveChanged();
    }, saveAfterMs);
  }

  /** Saves at once what waits for a pause. */
  saveChanged(): void {
    clearTimeout(this.#timer);
    for (const id of this.#changed) void this.#save(id);
    this.#changed.clear();
  }

  /** Saves what was written without a connection, unless another device has changed the draft later. */
  saveAll(): void {
    const { data } = this.store;
    for (const key of this.storage.keys(keyPrefix)) {
      const id = key.slice(keyPrefix.length);
      const { updated_at: savedAt } = data.drafts.get(id) ?? {};
      const { writtenAtMs } = this.#unsaved(id) ?? { writtenAtMs: 0 };
      const isOld = savedAt !== undefined && Date.parse(savedAt) > writtenAtMs + minLaterMs;
      // The draft may be what was written here before.
      const sent = this.#sent.get(id);
      if (isOld && (sent === undefined || !isSame(sent, savedIn(data, id)))) this.storage.remove(key);
      else void this.#save(id);
    }
  }

  /** Fetches the drafts, since a device that was not connected has missed changes. Never throws. */
  async load(): Promise<void> {
    // If it fails, the next connection tries again.
    await this.chat
      .holdEvents(async () => {
        const drafts = await this.chat.api.drafts();
        this.store.update((data) => ({
          ...data,
          drafts: new Map(drafts.map((draft) => [draft.conversation_id, draft])),
        }));
      })
      .catch(() => undefined);
  }

  async #save(id: string): Promise<void> {
    const { data } = this.store;
    const unsaved = this.#unsaved(id);
    if (unsaved === undefined) return;
    if (!this.#sent.has(id) && isSame(unsaved, savedIn(data, id))) {
      this.#forget(id, unsaved);
      return;
    }
    if (charactersLeft(unsaved.text) < 0 || this.chat.state !== 'connected') return;
    this.#sent.set(id, unsaved);
    try {
      const { text, replyTo } = unsaved;
      const draft = await this.chat.setDraft(id, text, replyTo === undefined ? {} : { replyTo: replyTo.id });
      this.store.update((current) => withDraft(current, draft));
      this.#forget(id, unsaved);
      if (this.#sent.get(id) === unsaved) this.#sent.delete(id);
    } catch {
      // It stays unsaved until the next change or connection: also if the account only reads the channel.
    }
  }

  /** Forgets what the service has, unless the user has written more. */
  #forget(id: string, { text, replyTo, writtenAtMs }: Unsaved): void {
    // The service has no reply without a text.
    if (text === '' && replyTo !== undefined) return;
    if (this.#unsaved(id)?.writtenAtMs === writtenAtMs) this.storage.remove(keyPrefix + id);
  }

  #unsaved(id: string): Unsaved | undefined {
    const value = this.storage.read(keyPrefix + id);
    return isUnsaved(value) ? value : undefined;
  }
}

function savedIn({ drafts }: ChatData, id: string): Written {
  const { text, reply_to: replyTo }: Partial<Draft> = drafts.get(id) ?? {};
  return { text: text ?? '', replyTo };
}

function isSame(a: Written, b: Written): boolean {
  return a.text === b.text && (a.text === '' || a.replyTo?.id === b.replyTo?.id);
}

function isUnsaved(value: unknown): value is Unsaved {
  return (
    isRecord(value) &&
    typeof value['text'] === 'string' &&
    typeof value['writtenAtMs'] === 'number' &&
    (value['replyTo'] === undefined || isQuote(value['replyTo']))
  );
}

function isQuote(value: unknown): value is Quote {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['from'] === 'string' &&
    (value['content'] === null || typeof value['content'] === 'string')
  );
}
