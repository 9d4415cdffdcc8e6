import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../errors';
import { KeyedLimiter } from '../keyed-limiter';
import { type ResponseLimits } from './response-limits';

/**
 * Limits of the reads of lists of one account. A running read holds up to 1 MiB of rows and keeps the database and the process busy
 * for up to 100 ms, so that several at once would slow down everybody else. A queued read holds no rows.
 */
const limits = { maxRunning: 1, maxQueued: 1_000, maxWaitMs: 20_000 };

/** Who asks for a list. */
export interface ListReader {
  readonly account: string;
  /** The connection that the response goes to. */
  readonly connection: { readonly destroyed: boolean };
}

/**
 * Longest pause between two reads of an account, in milliseconds. A pause is as long as the read before it, in which its response is
 * built and sent as well, so that the reads of one account take at most half of the time of the process. Without pauses 42 lists of 400
 * sessions occupied it for half a second. Of a read that takes longer than this the process is busy for up to 20 ms; the rest of the time
 * it waits for the database.
 */
const maxPauseMs = 50;

/** Lets each account read one list after the other from this process, with pauses, while its response pace allows. */
export class ListReads {
  private readonly byAccount = new KeyedLimiter(limits, tooManyReads);

  constructor(private readonly responses: ResponseLimits) {}

  /** How many accounts read lists now, or did a moment ago. */
  get size(): number {
    return this.byAccount.size;
  }

  /**
   * Runs a read of the account when it is its turn.
   *
   * @throws ServiceError `rate-limited` if too many wait, it waits too long, its connection ended or the account got too many bytes
   * meanwhile; and what the read throws
   */
  run<T>(reader: ListReader, read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const readAndPause = async () => {
        const sinceMs = performance.now();
        await this.read(reader, read).then(resolve, reject);
        await setTimeout(Math.min(performance.now() - sinceMs, maxPauseMs), undefined, { ref: false });
      };
      this.byAccount.run(reader.account, readAndPause).catch(reject);
    });
  }

  private async read<T>({ account, connection }: ListReader, read: () => Promise<T>): Promise<T> {
    if (connection.destroyed) throw new ServiceError('rate-limited', 'the connection has ended');
    // The reads that waited were let through before the first of them was charged.
    this.responses.requireAccountPace(account);
    return await read();
  }
}

function tooManyReads(): ServiceError {
  return new ServiceError('rate-limited', 'too many lists are asked for at once', { retryAfterMs: 1_000 });
}
