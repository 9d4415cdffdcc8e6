import { createClientId, type OutboxStore, type OutgoingMessage } from '@waggle/client/browser';
import type { BrowserMemory } from './browser-memory';

const keyStart = 'outbox:';

/**
 * Keeps unsent messages over reloads, separately for each tab, so that they stay in order. A tab takes over the messages
 * of tabs that were closed. If the browser has no locks, two tabs may send a message; the service then stores it once.
 */
export class OutboxStorage implements OutboxStore {
  readonly #key = keyStart + createClientId();
  readonly #messages = new Map<string, OutgoingMessage>();
  #release: () => void = () => undefined;

  constructor(private readonly memory: BrowserMemory) {}

  async load(): Promise<OutgoingMessage[]> {
    await this.#lock(this.#key, new Promise<void>((resolve) => (this.#release = resolve)));
    for (const key of this.memory.keys(keyStart)) {
      if (key === this.#key || !(await this.#lock(key, Promise.resolve()))) continue;
      for (const message of messagesIn(this.memory.read(key))) this.#messages.set(message.clientId, message);
      this.#save();
      this.memory.remove(key);
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
    if (this.#messages.size === 0) this.memory.remove(this.#key);
    else this.memory.write(this.#key, [...this.#messages.values()]);
  }

  /** Locks a tab's messages until a promise resolves. @returns whether no other tab has locked them */
  #lock(key: string, until: Promise<void>): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(true);
    const { locks } = navigator;
    return new Promise((resolve, reject) => {
      locks
        .request(this.memory.prefix + key, { ifAvailable: true }, async (lock) => {
          resolve(lock !== null);
          if (lock !== null) await until;
        })
        .catch(reject);
    });
  }
}

function messagesIn(value: unknown): OutgoingMessage[] {
  return Array.isArray(value) ? value.filter(isOutgoing) : [];
}

function isOutgoing(value: unknown): value is OutgoingMessage {
  return typeof value === 'object' && value !== null && 'clientId' in value && 'lane' in value && 'frame' in value;
}
