import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type ClientBase, type Pool, type PoolClient } from 'pg';
import { type Export } from '../answers/reading';
import { DELEGATION_CONFIG, type DelegationConfig } from '../config';
import { DelegationError } from '../errors';
import { type Known } from '../index-state/known';

/** A file whose reading has begun. */
export interface BegunExport {
  readonly known: Known;
  readonly stream: Readable;
}

/**
 * Lists as files, each read in one transaction that sees one moment. A file holds a connection for as long as its reader
 * takes, so there are a few at once, and none takes for ever.
 */
@Injectable()
export class Exports {
  private running = 0;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(DELEGATION_CONFIG) private readonly config: Pick<DelegationConfig, 'exports'>,
  ) {}

  /** @throws DelegationError `unavailable` where as many run as may */
  async begin(read: (client: ClientBase) => Promise<Export>): Promise<BegunExport> {
    if (this.running >= this.config.exports.atOnce) {
      throw new DelegationError('unavailable', 'too many exports run at once; try again soon', { retryAfterMs: 5_000 });
    }
    this.running += 1;
    try {
      return await this.beginWithin(await this.pool.connect(), read);
    } catch (error) {
      this.running -= 1;
      throw error;
    }
  }

  private async beginWithin(client: PoolClient, read: (client: ClientBase) => Promise<Export>): Promise<BegunExport> {
    // A connection that breaks says so as an event too; the statement that waits fails in any case.
    const ignore = () => undefined;
    client.on('error', ignore);
    try {
      // Between two pages it waits for its reader, for longer than a transaction else may.
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
         SET LOCAL idle_in_transaction_session_timeout = ${this.config.exports.mostMs}`,
      );
      const { known, pages } = await read(client);
      const stream = Readable.from(whole(client, pages));
      const limit = setTimeout(() => {
        stream.destroy(new Error('the export took too long'));
      }, this.config.exports.mostMs);
      stream.once('close', () => {
        clearTimeout(limit);
        this.running -= 1;
        client.off('error', ignore);
        // One that was broken off may be in the middle of a statement.
        client.release(!stream.readableEnded);
      });
      return { known, stream };
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

async function* whole(client: ClientBase, pages: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pages;
  await client.query('COMMIT');
}
