import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { type Export } from './deferred-response';
import { DelegationError } from '../errors';
import { type IndexPosition } from '../index-state/index-position';
import { ReaderPace } from './reader-pace';
import { RESPONSE_SETTINGS, type ResponseSettings } from './response-settings';

/** Time after which a rejected export may be retried, in milliseconds: one of 1,000,000 rows takes about this long. */
const retryAfterMs = 5_000;

/** A file whose reading has begun. */
export interface BegunExport {
  readonly position: IndexPosition;
  readonly stream: Readable;
}

/**
 * Exports lists as files: one at a time for each address, with a limit for all, and a time limit and a minimum pace for
 * each. An export whose reader stalls holds two pages of text, and no connection.
 */
@Injectable()
export class Exports {
  /** The addresses whose exports run. */
  private readonly running = new Set<string>();

  constructor(@Inject(RESPONSE_SETTINGS) private readonly settings: Pick<ResponseSettings, 'exports'>) {}

  /**
   * @param address the key of the client's address
   * @throws DelegationError `rate-limited` if another export of the address runs, `unavailable` if the maximum number
   * runs
   */
  async begin(address: string, read: () => Promise<Export>): Promise<BegunExport> {
    if (this.running.has(address)) {
      throw new DelegationError('rate-limited', 'one export at a time for each address; wait for the other to end', {
        retryAfterMs,
        limit: 'exports-per-address',
      });
    }
    if (this.running.size >= this.settings.exports.maxConcurrent) {
      throw new DelegationError('unavailable', 'too many exports run at once; try again soon', { retryAfterMs });
    }
    this.running.add(address);
    try {
      const { position, pages } = await read();
      return { position, stream: this.streamOf(address, pages) };
    } catch (error) {
      this.running.delete(address);
      throw error;
    }
  }

  private streamOf(address: string, pages: AsyncIterable<string>): Readable {
    const pace = new ReaderPace(this.settings.exports.pace);
    // Reads one page ahead of what the response takes.
    const stream = Readable.from(pace.measure(pages));
    const limit = setTimeout(() => {
      stream.destroy(new Error('the export took too long'));
    }, this.settings.exports.maxDurationMs);
    const check = setInterval(() => {
      if (pace.isTooSlow()) stream.destroy(new Error('the reader of the export is too slow'));
    }, pace.checkIntervalMs);
    stream.once('close', () => {
      clearTimeout(limit);
      clearInterval(check);
      this.running.delete(address);
    });
    return stream;
  }
}
