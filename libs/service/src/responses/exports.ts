import { Readable } from 'node:stream';
import { ServiceError } from '../errors/errors';
import { type LimitName } from '../errors/limit-names';
import { type PaceLimits, ReaderPace } from './reader-pace';

/** Time after which a rejected export may be retried, in milliseconds: one of 1,000,000 rows takes about this long. */
const retryAfterMs = 5_000;

export interface ExportLimits {
  readonly maxConcurrent: number;
  readonly maxDurationMs: number;
  /** Only tests change it. */
  readonly pace?: PaceLimits;
}

/**
 * Exports lists as files: one at a time for each holder, with a limit for all, and a time limit and a minimum pace for
 * each. An export whose reader stalls holds two pages of text, and no connection.
 */
export class Exports {
  /** The holders whose exports run. */
  private readonly running = new Set<string>();

  /** @param holder an account or address; the error and the name of the limit say which */
  constructor(
    private readonly limits: ExportLimits,
    private readonly holder: 'account' | 'address' = 'address',
  ) {}

  /**
   * Begins to read a file.
   *
   * @param key of the holder
   * @returns what `read` returns, with a stream in place of the pages
   * @throws ServiceError `rate-limited` if another export of the holder runs, `unavailable` if the maximum number runs
   */
  async begin<Export extends { readonly pages: AsyncIterable<string> }>(
    key: string,
    read: () => Promise<Export>,
  ): Promise<Omit<Export, 'pages'> & { readonly stream: Readable }> {
    if (this.running.has(key)) {
      const limit: LimitName = `exports-per-${this.holder}`;
      const message = `one export at a time for each ${this.holder}; wait for the other to end`;
      throw new ServiceError('rate-limited', message, { retryAfterMs, limit });
    }
    if (this.running.size >= this.limits.maxConcurrent) {
      throw new ServiceError('unavailable', 'too many exports run at once; try again soon', { retryAfterMs });
    }
    this.running.add(key);
    try {
      const { pages, ...others } = await read();
      return { ...others, stream: this.streamOf(key, pages) };
    } catch (error) {
      this.running.delete(key);
      throw error;
    }
  }

  private streamOf(key: string, pages: AsyncIterable<string>): Readable {
    const pace = new ReaderPace(this.limits.pace);
    // Reads one page ahead of what the response takes.
    const stream = Readable.from(pace.measure(pages));
    const limit = setTimeout(() => {
      stream.destroy(new Error('the export took too long'));
    }, this.limits.maxDurationMs);
    const check = setInterval(() => {
      if (pace.isTooSlow()) stream.destroy(new Error('the reader of the export is too slow'));
    }, pace.checkIntervalMs);
    stream.once('close', () => {
      clearTimeout(limit);
      clearInterval(check);
      this.running.delete(key);
    });
    return stream;
  }
}
