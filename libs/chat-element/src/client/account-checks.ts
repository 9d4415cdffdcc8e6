/** How long a name has to stay the same before it is checked: the user may be typing it. */
const pauseMs = 300;

/** Finds out which of the names that a user enters are accounts. */
export class AccountChecks {
  /** Undefined if it could not be found out. */
  readonly #results = new Map<string, boolean | undefined>();
  readonly #running = new Map<string, AbortController>();

  /**
   * @param exists looks an account up
   * @param onResult called when a check ends
   */
  constructor(
    private readonly exists: (account: string, signal: AbortSignal) => Promise<boolean | undefined>,
    private readonly onResult: () => void,
  ) {}

  /** Whether the account exists; undefined if that is unknown. */
  resultOf(account: string): boolean | undefined {
    return this.#results.get(account);
  }

  isRunning(account: string): boolean {
    return this.#running.has(account);
  }

  /** Checks the accounts whose result is missing, and aborts the checks of all others. */
  run(accounts: ReadonlySet<string>): void {
    for (const [account, controller] of this.#running) {
      if (accounts.has(account)) continue;
      controller.abort();
      this.#running.delete(account);
    }
    for (const account of accounts) {
      if (!this.#results.has(account) && !this.#running.has(account)) void this.#check(account);
    }
  }

  async #check(account: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(account, controller);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // If it cannot be looked up, the service decides when the name is used.
    const result = signal.aborted ? undefined : await this.exists(account, signal).catch(() => undefined);
    if (signal.aborted) return;
    this.#running.delete(account);
    this.#results.set(account, result);
    this.onResult();
  }
}
