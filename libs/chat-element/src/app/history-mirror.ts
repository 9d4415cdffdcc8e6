import { isRecord } from '../client/browser-storage';
import { argumentOf, conversationPrefix } from '../panes';
import type { WaggleChat } from '../waggle-chat';

/** Precedes the id of the conversation in the address, so that it survives a reload and links to channels work. */
const hashPrefix = '#/';

type Panes = readonly string[];

/**
 * Mirrors the open panes and dialogs of a chat in the browser's history, so that Back closes the topmost. The state of
 * each entry lists the panes of all entries up to it.
 */
export class HistoryMirror {
  #entries: readonly Panes[];
  /** Whether the browser is going to an earlier entry, which takes a moment. */
  #isTraversing = false;

  constructor(private readonly chat: WaggleChat) {
    this.#entries = entriesIn(history.state) ?? [addressedPanes()];
    chat.panes = this.#entries.at(-1) ?? [];
    chat.addEventListener('panes-changed', () => {
      this.#write();
    });
    addEventListener('popstate', ({ state }) => {
      this.#read(state);
    });
    this.#replace(this.#entries);
    this.#write();
  }

  /** Shows the entry to which the browser went. */
  #read(state: unknown): void {
    const saved = entriesIn(state);
    // Without a state, the address was typed, or a link was clicked.
    if (saved === undefined) this.#replace([...this.#entries, addressedPanes()]);
    else this.#entries = saved;
    if (!this.#isTraversing) this.chat.panes = this.#entries.at(-1) ?? [];
    this.#isTraversing = false;
    this.#write();
  }

  /** Changes the history until its last entry shows the open panes. */
  #write(): void {
    if (this.#isTraversing) return;
    const { panes } = this.chat;
    const current = this.#entries.length - 1;
    const base = this.#entries.findLastIndex((entry) => entry.every((pane, index) => pane === panes[index]));
    const baseLength = this.#entries[base]?.length ?? -1;
    // The entry after the base is replaced.
    const target = baseLength === panes.length ? base : base + 1;
    if (target < current) {
      this.#isTraversing = true;
      history.go(target - current);
      return;
    }
    for (let length = baseLength + 1; length <= panes.length; length += 1) {
      const entries = [...this.#entries.slice(0, base + length - baseLength), panes.slice(0, length)];
      if (entries.length === this.#entries.length) this.#replace(entries);
      else this.#push(entries);
    }
  }

  #replace(entries: readonly Panes[]): void {
    this.#entries = entries;
    history.replaceState({ panes: entries }, '', addressOf(entries));
  }

  #push(entries: readonly Panes[]): void {
    this.#entries = entries;
    history.pushState({ panes: entries }, '', addressOf(entries));
  }
}

/** The panes of the entries that a state lists, if it is one of a mirror. */
function entriesIn(state: unknown): Panes[] | undefined {
  const entries = isRecord(state) ? state['panes'] : undefined;
  if (!Array.isArray(entries) || entries.length === 0) return undefined;
  return entries.every(isPanes) ? entries : undefined;
}

function isPanes(value: unknown): value is Panes {
  return Array.isArray(value) && value.every((pane) => typeof pane === 'string');
}

function addressedPanes(): Panes {
  const { hash } = location;
  return hash.startsWith(hashPrefix) && hash !== hashPrefix ? [conversationPrefix + hash.slice(hashPrefix.length)] : [];
}

function addressOf(entries: readonly Panes[]): string {
  const conversation = argumentOf(entries.at(-1) ?? [], conversationPrefix);
  return conversation === undefined ? location.pathname : hashPrefix + conversation;
}
