import { Inject, Injectable } from '@nestjs/common';
import { KeyedLimiter } from '@waggle/service';
import { DELEGATION_CONFIG, type DelegationConfig } from '../config';
import { DelegationError } from '../errors';

/** How many requests of an address may wait, and how long. */
const queueLimits = { maxQueued: 10, maxWaitMs: 2_000 };

/**
 * Runs few requests as of an earlier block for each address: one may take seconds of the database, and `DelegationsStore` runs only half
 * as many of all addresses as there are connections.
 */
@Injectable()
export class PastRequests {
  private readonly byAddress: KeyedLimiter;

  constructor(@Inject(DELEGATION_CONFIG) { pastRequests }: Pick<DelegationConfig, 'pastRequests'>) {
    const maxRunning = pastRequests.maxConcurrent;
    const message = `at most ${maxRunning} requests as of earlier blocks at a time for each address; wait for the others to end`;
    this.byAddress = new KeyedLimiter(
      { maxRunning, ...queueLimits },
      () => new DelegationError('rate-limited', message, { retryAfterMs: 1_000 }),
    );
  }

  /**
   * @param address the key of the client's address
   * @throws DelegationError `rate-limited` if too many of the address wait, or for too long; and what the read throws
   */
  run<T>(address: string, read: () => Promise<T>): Promise<T> {
    return this.byAddress.run(address, read);
  }
}
