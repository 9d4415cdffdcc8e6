/** Records which accounts are online: connected to at least one instance. */
export interface PresenceRegister {
  /** Records that an account is connected to this instance. @returns whether it was offline before */
  enter(account: string): Promise<boolean>;
  /**
   * Records that accounts are no longer connected here. @returns those that are now offline, or whose state is unknown
   */
  leave(accounts: readonly string[]): Promise<string[]>;
  /**
   * Renews the records of the accounts that are connected here. Others expire, such as the records of an instance that
   * died.
   * @returns `online`: accounts that were recorded as offline, for example because this instance was suspended;
   * `offline`: accounts with expired records that are connected to no instance, each returned by one instance
   */
  refresh(accounts: readonly string[]): Promise<{ online: string[]; offline: string[] }>;
  /** Returns which of the accounts are online. */
  findOnline(accounts: readonly string[]): Promise<string[]>;
}

/** Interval at which an instance renews its records and removes expired ones, in milliseconds. */
export const refreshIntervalMs = 20_000;

/** Injects the `PresenceRegister`. */
export const PRESENCE_REGISTER = Symbol('PresenceRegister');

/** The register of a single instance. */
export class PresenceInMemory implements PresenceRegister {
  private online = new Set<string>();

  enter(account: string): Promise<boolean> {
    const isNew = !this.online.has(account);
    this.online.add(account);
    return Promise.resolve(isNew);
  }

  leave(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.online.delete(account)));
  }

  refresh(accounts: readonly string[]): Promise<{ online: string[]; offline: string[] }> {
    const before = this.online;
    this.online = new Set(accounts);
    return Promise.resolve({
      online: accounts.filter((account) => !before.has(account)),
      offline: [...before].filter((account) => !this.online.has(account)),
    });
  }

  findOnline(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.online.has(account)));
  }
}
