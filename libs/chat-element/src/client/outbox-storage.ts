import { createClientId, type OutboxStore, type OutgoingMessage } from '@waggle/client/browser';
import { type BrowserStorage, isRecord } from './browser-storage';

const keyPrefix = 'outbox:';

/**
 * Keeps unsent messages over reloads, separately for each tab, so that they stay in order. A tab takes over the
 * messages of tabs that were closed. If the page cannot use locks, two tabs may send a message; the service then stores
 * it once.
 */
export class OutboxStorage implements OutboxStore {
  readonly #key = keyPrefix + createClientId();
  readonly #messages = new Map<string, OutgoingMessage>();
  #release: () => void = () => undefined;

  /** @param locks of the browser, if it has them */
  constructor(
    private readonly storage: BrowserStorage,
    private readonly locks: LockManager | undefined,
  ) {}

  async load(): Promise<OutgoingMessage[]> {
    await this.#lock(this.#key, new Promise<void>((resolve) => (this.#release = resolve)));
    for (const key of this.storage.keys(keyPrefix)) {
      if (key === this.#key || !(await this.#lock(key, Promise.resolve()))) continue;
      for (const message of messagesIn(this.storage.read(key))) this.#messages.set(message.clientId, message);
      this.#save();
      this.storage.remove(key);
    }
    return [...this.#messages.values()];
  }

  put(message: OutgoingMessage): void {
    this.#messages.set(message.clientId, message);
    this.#save();
  }

  remove(clientId: string): void {
    this.#messages.delete(clientId);
    this.#save();
  }

  /** Lets other tabs take over what was not sent. */
  release(): void {
    this.#release();
  }

  #save(): void {
    if (this.#messages.size === 0) this.storage.remove(this.#key);
    else this.storage.write(this.#key, [...this.#messages.values()]);
  }

  /** Locks a tab's messages until a promise resolves. @returns whether no other tab holds the lock */
  #lock(key: string, until: Promise<void>): Promise<boolean> {
    const { locks } = this;
    if (locks === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      locks
        .request(this.storage.prefix + key, { ifAvailable: true }, async (lock) => {
          resolve(lock !== null);
          if (lock !== null) await until;
        })
        // Some pages, such as pages of an opaque origin, may not use locks.
        .catch(() => {
          resolve(true);
        });
    });
  }
}

function messagesIn(value: unknown): OutgoingMessage[] {
  return Array.isArray(value) ? value.filter(isOutgoing) : [];
}

/** Checks of the properties of a saved message. Its type makes a property that is renamed or added a compile error. */
const propertyChecks: Record<keyof OutgoingMessage, (value: unknown) => boolean> = {
  clientId: isString,
  queue: isString,
  frame: (value) =>
    isRecord(value) && isString(value['type']) && isRecord(value['payload']) && isString(value['payload']['message']),
  firstSentAtMs: (value) => value === undefined || typeof value === 'number',
};

function isOutgoing(value: unknown): value is OutgoingMessage {
  return isRecord(value) && Object.entries(propertyChecks).every(([name, isValid]) => isValid(value[name]));
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
