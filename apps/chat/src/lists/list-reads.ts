import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ConcurrencyLimiter, ResponseLimits } from '@waggle/service';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ChatError } from '../errors';
import { accountOf } from '../sessions/access.guard';

/**
 * Limits of the reads of lists of one account. Each running read may hold `maxPageBytes`, so an account has at most 4 MiB of rows in
 * memory. A queued read holds no rows. A client may read the history of each of its conversations in parallel.
 */
const limits = { maxRunning: 4, maxQueued: 1_000, maxWaitMs: 10_000 };

/** The lists that each account reads from this instance. */
@Injectable()
export class ListReadLimits {
  private readonly byAccount = new Map<string, ConcurrencyLimiter>();

  /** How many accounts read lists now. */
  get size(): number {
    return this.byAccount.size;
  }

  /** Runs a read of the account when it is its turn. @throws ServiceError `rate-limited` if too many wait or it waits too long, and what the read throws */
  async run<T>(account: string, read: () => Promise<T>): Promise<T> {
    const limiter = this.byAccount.get(account) ?? new ConcurrencyLimiter(limits, tooManyReads);
    this.byAccount.set(account, limiter);
    try {
      return await limiter.run(read);
    } finally {
      if (limiter.isIdle) this.byAccount.delete(account);
    }
  }
}

/** Lets an account read a bounded number of lists at once, and bytes of them. Stands behind `AccessGuard`. */
@Injectable()
export class ListReads implements NestInterceptor {
  constructor(
    private readonly limits: ListReadLimits,
    private readonly responses: ResponseLimits,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const account = accountOf(context);
    return from(
      this.limits.run(account, () => {
        // Those that waited were let through before the first of them were charged.
        this.responses.requireAccountPace(account);
        return lastValueFrom(next.handle());
      }),
    );
  }
}

function tooManyReads(): ChatError {
  return new ChatError('rate-limited', 'too many lists are asked for at once', { retryAfterMs: 1_000 });
}
