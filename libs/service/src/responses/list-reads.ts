import { ConcurrencyLimiter } from '../concurrency-limiter';
import { ServiceError } from '../errors';
import { type ResponseLimits } from './response-limits';

/**
 * Limits of the reads of lists of one account. A running read holds up to 1 MiB of rows and keeps the database and the process busy
 * for up to 100 ms, so that several at once would slow down everybody else. A queued read holds no rows.
 */
const limits = { maxRunning: 1, maxQueued: 1_000, maxWaitMs: 10_000 };

/** Who asks for a list. */
export interface ListReader {
  readonly account: string;
  /** The connection that the response goes to. */
  readonly connection: { readonly destroyed: boolean };
}

/** Lets each account read one list after the other from this process, while its response pace allows. */
export class ListReads {
  private readonly byAccount = new Map<string, ConcurrencyLimiter>();

  constructor(private readonly responses: ResponseLimits) {}

  /** How many accounts read lists now. */
  get size(): number {
    return this.byAccount.size;
  }

  /**
   * Runs a read of the account when it is its turn.
   *
   * @throws ServiceError `rate-limited` if too many wait, it waits too long, its connection ended or the account got too many bytes
   * meanwhile; and what the read throws
   */
  async run<T>({ account, connection }: ListReader, read: () => Promise<T>): Promise<T> {
    const limiter = this.byAccount.get(account) ?? new ConcurrencyLimiter(limits, tooManyReads);
    this.byAccount.set(account, limiter);
    try {
      return await limiter.run(() => {
        if (connection.destroyed) throw new ServiceError('rate-limited', 'the connection has ended');
        // The reads that waited were let through before the first of them was charged.
        this.responses.requireAccountPace(account);
        return read();
      });
    } finally {
      if (limiter.isIdle) this.byAccount.delete(account);
    }
  }
}

function tooManyReads(): ServiceError {
  return new ServiceError('rate-limited', 'too many lists are asked for at once', { retryAfterMs: 1_000 });
}
