import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../errors/errors';
import { KeyedLimiter } from '../limits/keyed-limiter';
import { type ResponseLimits } from './response-limits';

/**
 * Limits of the list reads of one account. A running read holds up to 512 KiB of rows and takes up to 100 ms, 20 ms of
 * them in this process and the rest in the database, so several at once would slow down all other requests. A queued
 * read holds no rows.
 */
const limits = { maxRunning: 1, maxQueued: 1_000, maxWaitMs: 20_000 };

/** The caller of a list endpoint. */
export interface ListReader {
  readonly account: string;
  /** The connection that the response goes to. */
  readonly connection: { readonly destroyed: boolean };
}

/**
 * Maximum pause after a read of an account, in milliseconds. A pause lasts as long as the read; the response is built
 * and sent during it. So the reads of one account take at most half of the time of the process: without pauses 42 lists
 * of 400 sessions occupied it for half a second. A read that takes longer than this waits for the database most of the
 * time.
 */
const maxPauseMs = 50;

/** Runs the list reads of each account in sequence, with pauses, within its limit of bytes per second. */
export class ListReads {
  private readonly byAccount = new KeyedLimiter(limits, tooManyReads);

  constructor(private readonly responses: ResponseLimits) {}

  /** Number of accounts with running, queued or just finished reads. */
  get size(): number {
    return this.byAccount.size;
  }

  /**
   * Runs a read of the account when it is its turn.
   *
   * @throws ServiceError `rate-limited` if the queue is full, the wait too long, the connection closed, or the bytes
   * per second of the account exceeded meanwhile; and what the read throws
   */
  run<T>(reader: ListReader, read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const readAndPause = async (): Promise<void> => {
        const sinceMs = performance.now();
        await this.read(reader, read).then(resolve, reject);
        await setTimeout(Math.min(performance.now() - sinceMs, maxPauseMs), undefined, { ref: false });
      };
      // `readAndPause` never rejects; the queue does if it is full or the wait too long.
      this.byAccount.run(reader.account, readAndPause).catch(reject);
    });
  }

  private async read<T>({ account, connection }: ListReader, read: () => Promise<T>): Promise<T> {
    if (connection.destroyed) throw new ServiceError('rate-limited', 'the connection has ended');
    // Checked when the read begins, since responses that were sent while it was queued count as well.
    this.responses.requireWithinRate(account);
    return await read();
  }
}

function tooManyReads(): ServiceError {
  return new ServiceError('rate-limited', 'too many lists are requested at once', {
    retryAfterMs: 1_000,
    limit: 'lists-at-once',
  });
}
