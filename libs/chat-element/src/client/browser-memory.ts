/** Values that survive a reload, in the browser's local storage, or only in memory if the page has none. */
export class BrowserMemory {
  readonly #fallback = new Map<string, string>();

  /** @param prefix of the keys, so that services and accounts do not mix */
  constructor(readonly prefix: string) {}

  /** @returns undefined if there is no such value, or it is damaged */
  read(key: string): unknown {
    try {
      const text = localStorage.getItem(this.prefix + key);
      return text === null ? undefined : JSON.parse(text);
    } catch {
      const text = this.#fallback.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    }
  }

  write(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    try {
      localStorage.setItem(this.prefix + key, text);
    } catch {
      this.#fallback.set(key, text);
    }
  }

  remove(key: string): void {
    this.#fallback.delete(key);
    try {
      localStorage.removeItem(this.prefix + key);
    } catch {
      // There is no storage, so there is nothing to remove.
    }
  }

  /** The keys that begin with a text. */
  keys(start: string): string[] {
    const all = this.prefix + start;
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(all))
        .map((key) => key.slice(this.prefix.length));
    } catch {
      return [...this.#fallback.keys()].filter((key) => key.startsWith(start));
    }
  }

  /** Calls a listener when another tab changes a value. @returns ends it */
  onChange(key: string, listener: () => void): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key === this.prefix + key) listener();
    };
    addEventListener('storage', onStorage);
    return () => {
      removeEventListener('storage', onStorage);
    };
  }
}
