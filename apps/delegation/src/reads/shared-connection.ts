import { Socket } from 'node:net';
import { prepareConnection, WriteCoalescer } from '@waggle/service';
import { Client, type ClientConfig, DatabaseError, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

/**
 * A connection with many pending queries. The queries of one turn of the event loop are written together, because
 * writing costs more than the rest of a small query.
 */
export class SharedConnection {
  private readonly writes = new WriteCoalescer();
  private hasEnded = false;

  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
  ) {
    const end = (): void => {
      this.hasEnded = true;
    };
    // Pending queries are rejected as well.
    client.on('error', end);
    client.once('end', end);
  }

  /** Rejects with the driver's errors. */
  static async open(options: ClientConfig): Promise<SharedConnection> {
    const socket = new Socket();
    const client = new Client({ ...options, pipeline: true, stream: () => socket });
    const connection = new SharedConnection(client, socket);
    try {
      await client.connect();
      await prepareConnection(client);
      return connection;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.hasEnded;
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    this.writes.cork(this.socket);
    try {
      return await this.client.query<Row>(statement);
    } catch (error) {
      // The connection closes a moment later; no further query is sent on it.
      if (isShutdownNotice(error)) {
        this.hasEnded = true;
        this.socket.end();
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    if (!this.hasEnded) await this.client.end();
  }
}

/**
 * Whether the server announces that it closes the connection: after a shutdown, a crash or pg_terminate_backend
 * (SQLSTATE 57P0x).
 */
function isShutdownNotice(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('57P0') === true;
}
