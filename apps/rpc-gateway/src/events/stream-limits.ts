import { type Client, ServiceError, SharedBudget } from '@waggle/service';

const limit = 'event-streams-per-address';

export interface StreamLimitOptions {
  /** Open streams of this process. */
  readonly maxStreams: number;
  /** Open streams of a client, unless it has its own limit. */
  readonly maxStreamsPerAddress: number;
}

/** Maximum number of accounts of one stream. When it resumes, the index is read by account. */
export const maxAccountsPerStream = 1_000;

/**
 * All streams together may follow this many accounts for each stream that is allowed: a browser follows one or a few.
 * An account takes some 200 bytes.
 */
const accountBudgetPerStream = 20;
const retryAfterMs = 10_000;

/** Limits the open streams and, with a `SharedBudget` of the addresses, the accounts in them. */
export class StreamLimits {
  private readonly byClient = new Map<string, number>();
  private readonly accounts: SharedBudget;
  private streams = 0;

  constructor(private readonly options: StreamLimitOptions) {
    this.accounts = new SharedBudget(accountBudgetPerStream * options.maxStreams);
  }

  /**
   * Counts a stream.
   *
   * @returns a function to call once when the stream has ended
   * @throws ServiceError `rate-limited` or `unavailable`
   */
  open(client: Client, accounts: number): () => void {
    const { maxStreams, maxStreamsPerAddress } = this.options;
    const { address } = client;
    const key = client.keyFor(limit);
    const maxStreamsOfClient = client.maxOf(limit) ?? maxStreamsPerAddress;
    const streams = this.byClient.get(key) ?? 0;
    if (streams >= maxStreamsOfClient)
      throw new ServiceError('rate-limited', `at most ${maxStreamsOfClient} streams at once`, { retryAfterMs, limit });
    if (this.streams >= maxStreams)
      throw new ServiceError('unavailable', 'this instance has reached its limit of streams', { retryAfterMs });
    if (!this.accounts.take(address, accounts))
      throw new ServiceError('rate-limited', 'too many accounts in the streams of this address', {
        retryAfterMs,
        limit: 'event-accounts-per-address',
      });
    this.streams += 1;
    this.byClient.set(key, streams + 1);
    return () => {
      this.streams -= 1;
      this.accounts.release(address, accounts);
      const left = (this.byClient.get(key) ?? 0) - 1;
      if (left > 0) this.byClient.set(key, left);
      else this.byClient.delete(key);
    };
  }
}
