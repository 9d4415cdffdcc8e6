/** Values that survive a reload, in the browser's local storage, or only in memory if they cannot be stored. */
export class BrowserStorage {
  /** What could not be stored, as when the storage is full, with the older value that is stored instead. */
  readonly #unstored = new Map<string, { text: string; stored: string | null }>();

  /** @param prefix of the keys, so that services and accounts do not mix */
  constructor(readonly prefix: string) {}

  /** @returns undefined if there is no such value, or it is damaged */
  read(key: string): unknown {
    const text = this.#textOf(key);
    try {
      return text === null ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  write(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    this.#unstored.delete(key);
    try {
      localStorage.setItem(this.prefix + key, text);
    } catch {
      this.#unstored.set(key, { text, stored: this.#storedText(key) });
    }
  }

  remove(key: string): void {
    this.#unstored.delete(key);
    try {
      localStorage.removeItem(this.prefix + key);
    } catch {
      // There is no storage, so there is nothing to remove.
    }
  }

  /** The keys that begin with a text. */
  keys(start: string): string[] {
    const keys = [...this.#unstored.keys(), ...this.#storedKeys()];
    return [...new Set(keys)].filter((key) => key.startsWith(start));
  }

  /** Calls a listener when another tab changes a value. @returns removes the listener */
  onChange(key: string, listener: () => void): () => void {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === this.prefix + key) listener();
    };
    addEventListener('storage', onStorage);
    return () => {
      removeEventListener('storage', onStorage);
    };
  }

  #textOf(key: string): string | null {
    const stored = this.#storedText(key);
    const unstored = this.#unstored.get(key);
    // Otherwise another tab wrote the value since.
    return unstored?.stored === stored ? unstored.text : stored;
  }

  #storedText(key: string): string | null {
    try {
      return localStorage.getItem(this.prefix + key);
    } catch {
      return null;
    }
  }

  #storedKeys(): string[] {
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(this.prefix))
        .map((key) => key.slice(this.prefix.length));
    } catch {
      return [];
    }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
