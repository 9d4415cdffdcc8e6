import { SharedBudget } from '../shared-budget';

/** Who a response is for. Its bytes count against the address, and against the account where there is one. */
export interface ResponseHolder {
  /** A key of `addressKey`. */
  readonly address: string;
  readonly account?: string | undefined;
}

/**
 * Responses up to this size, in bytes, are not counted: an error in their place would be about as large, and the request
 * limits keep their number down.
 */
export const uncountedBytes = 4 * 1024;

/**
 * Bounds the memory of responses that clients have not read yet. All of them share one budget, in which an address, and an
 * account, may hold as much as is still free: alone half of it, among n others 1/(n+1), so there is always room for a newcomer.
 */
export class ResponseBudget {
  private readonly byAddress: SharedBudget;
  private readonly byAccount: SharedBudget;

  constructor(private readonly totalBytes: number) {
    this.byAddress = new SharedBudget(totalBytes);
    this.byAccount = new SharedBudget(totalBytes);
  }

  /** Bytes of all responses that are counted now. */
  get heldBytes(): number {
    return this.totalBytes - this.byAddress.free;
  }

  /** Whether the holder's own responses, rather than those of others, leave no room for more. */
  holdsUnread({ address, account }: ResponseHolder): boolean {
    const heldBytes = Math.max(
      this.byAddress.heldBy(address),
      account === undefined ? 0 : this.byAccount.heldBy(account),
    );
    return heldBytes >= uncountedBytes;
  }

  take({ address, account }: ResponseHolder, bytes: number): boolean {
    if (!this.byAddress.take(address, bytes)) return false;
    if (account === undefined || this.byAccount.take(account, bytes)) return true;
    this.byAddress.release(address, bytes);
    return false;
  }

  release({ address, account }: ResponseHolder, bytes: number): void {
    this.byAddress.release(address, bytes);
    if (account !== undefined) this.byAccount.release(account, bytes);
  }
}

/** Why a response does not fit: too much of its holder's own is unread (429), or of everybody's (503). */
export type BudgetRejection = 'rate-limited' | 'unavailable';

/** What one response takes of the budget, from when its first bytes are there until it is flushed. */
export class ResponseAllowance {
  private bytes = 0;
  private countedBytes = 0;
  private rejected: BudgetRejection | undefined;

  constructor(
    private readonly budget: ResponseBudget,
    private readonly holder: ResponseHolder,
  ) {}

  /** Set once bytes were refused. */
  get rejection(): BudgetRejection | undefined {
    return this.rejected;
  }

  get isCounted(): boolean {
    return this.countedBytes > 0;
  }

  /** @returns why so many more bytes do not fit into the budget, and then takes none; undefined if they do */
  take(bytes: number): BudgetRejection | undefined {
    const total = this.bytes + bytes;
    if (total > uncountedBytes) {
      if (!this.budget.take(this.holder, total - this.countedBytes)) {
        this.rejected ??= this.budget.holdsUnread(this.holder) ? 'rate-limited' : 'unavailable';
        return this.rejected;
      }
      this.countedBytes = total;
    }
    this.bytes = total;
    return undefined;
  }

  /** Gives back bytes that will not be part of the response after all. */
  giveBack(bytes: number): void {
    this.bytes -= bytes;
    const excess = Math.min(this.countedBytes, bytes);
    this.countedBytes -= excess;
    if (excess > 0) this.budget.release(this.holder, excess);
  }

  /** Returns all bytes, once the response is flushed or its connection is closed. Idempotent. */
  release(): void {
    if (this.countedBytes > 0) this.budget.release(this.holder, this.countedBytes);
    this.bytes = 0;
    this.countedBytes = 0;
  }
}
