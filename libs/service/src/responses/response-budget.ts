import { type Client } from '../limits/client';
import { SharedBudget } from '../limits/shared-budget';

/** The receiver of a response. Its bytes count against the client, and against the account if there is one. */
export interface ResponseHolder {
  readonly client: Client;
  readonly account?: string | undefined;
}

/**
 * Responses up to this size in bytes are not counted: an error would be about as large, and a connection has one at a
 * time (`handleInTurn`), which is cut if the client does not read it.
 */
export const uncountedBytes = 4 * 1024;

/**
 * Bounds the memory of responses that clients have not read yet. All share one budget. `SharedBudget` bounds what an
 * address, and an account, may hold of it, so there is always room for another client.
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

  /** Whether the holder has so many unread bytes that a rejection is attributed to it. */
  holdsUnread({ client: { address }, account }: ResponseHolder): boolean {
    const heldBytes = Math.max(
      this.byAddress.heldBy(address),
      account === undefined ? 0 : this.byAccount.heldBy(account),
    );
    return heldBytes >= uncountedBytes;
  }

  /** Takes bytes for the holder. @returns false, and takes nothing, if they do not fit */
  take({ client: { address }, account }: ResponseHolder, bytes: number): boolean {
    if (!this.byAddress.take(address, bytes)) return false;
    if (account === undefined || this.byAccount.take(account, bytes)) return true;
    this.byAddress.release(address, bytes);
    return false;
  }

  release({ client: { address }, account }: ResponseHolder, bytes: number): void {
    this.byAddress.release(address, bytes);
    if (account !== undefined) this.byAccount.release(account, bytes);
  }
}

/** Why a response does not fit: too many unread bytes of the same holder (429), or of all (503). */
export type BudgetRejection = 'rate-limited' | 'unavailable';

/** The HTTP status of a rejected response. */
export const rejectionStatus: Readonly<Record<BudgetRejection, number>> = { 'rate-limited': 429, unavailable: 503 };

/**
 * Time after which a client may retry after a rejected response, in milliseconds: by then most unread responses are
 * read or cut off.
 */
export const rejectedRetryAfterMs = 5_000;

/** The share of one response in the budget, from its first bytes until it is flushed. */
export class ResponseAllowance {
  /** All bytes that were taken. */
  private bytes = 0;
  /** The bytes that were taken from the budget: none up to `uncountedBytes`, then all. */
  private countedBytes = 0;
  private rejected: BudgetRejection | undefined;

  constructor(
    private readonly budget: ResponseBudget,
    private readonly holder: ResponseHolder,
  ) {}

  /** The reason for rejecting bytes; undefined as long as none were rejected. */
  get rejection(): BudgetRejection | undefined {
    return this.rejected;
  }

  get isCounted(): boolean {
    return this.countedBytes > 0;
  }

  /** Takes the bytes from the budget if they fit. @returns the reason if they do not */
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

  /** Returns bytes that will not be part of the response. */
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
