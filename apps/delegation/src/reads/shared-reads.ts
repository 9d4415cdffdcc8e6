import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { connectionOptions, type Executor } from '@waggle/service';
import { type ClientConfig, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { READ_SETTINGS, type ReadSettings } from './read-settings';
import { SharedConnection } from './shared-connection';

/** Two: PostgreSQL works on one while we read the other; more would only spread queries over more packets. */
export const sharedConnections = 2;

/**
 * Executes fast index lookups on a few connections that all requests share. A slow statement would delay the following
 * ones on its connection, so it goes through the pool.
 */
@Injectable()
export class SharedReads implements Executor, OnApplicationShutdown {
  private readonly options: ClientConfig;
  private readonly connections: (Promise<SharedConnection> | undefined)[] = [];
  private turn = 0;
  private isTurnScheduled = false;

  constructor(@Inject(READ_SETTINGS) { database }: Pick<ReadSettings, 'database'>) {
    this.options = { ...connectionOptions('delegation'), connectionString: database.url };
  }

  /** Rejects with errors of the driver. A lost connection is reopened for the next query. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    return await (await this.connection()).query<Row>(statement);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const opening of this.connections.splice(0)) {
      const connection = await opening?.catch(() => undefined);
      await connection?.close();
    }
  }

  private async connection(): Promise<SharedConnection> {
    const index = this.nextIndex();
    const known = this.connections[index];
    const connection = await (known ?? this.open(index));
    if (!connection.isLost) return connection;
    // The first caller reopens it for all.
    return await (this.connections[index] === known ? this.open(index) : this.connection());
  }

  private open(index: number): Promise<SharedConnection> {
    const opening = SharedConnection.open(this.options);
    this.connections[index] = opening;
    opening.catch(() => {
      if (this.connections[index] === opening) this.connections[index] = undefined;
    });
    return opening;
  }

  /** Returns the same index during one turn of the event loop, and another one in the next. */
  private nextIndex(): number {
    if (!this.isTurnScheduled) {
      this.isTurnScheduled = true;
      setImmediate(() => {
        this.isTurnScheduled = false;
        this.turn = (this.turn + 1) % sharedConnections;
      });
    }
    return this.turn;
  }
}
