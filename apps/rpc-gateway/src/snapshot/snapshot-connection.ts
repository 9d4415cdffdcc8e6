import { Socket } from 'node:net';
import { isPooled, sql, Statement } from '@waggle/service';
import { Client } from 'pg';
import { SnapshotError } from './snapshot-error';

const connectTimeoutMs = 5_000;

/**
 * The text format of values, which digests depend on, and no time limits, since tables are large. The server notices
 * within half a minute that this process is gone, also while it builds an index (from PostgreSQL 14 on).
 */
const setOptions = new Statement({
  name: 'snapshot-settings',
  text: `
    SELECT set_config(name, wanted, false) AS setting
    FROM (VALUES ('TimeZone', 'UTC'), ('DateStyle', 'ISO, MDY'), ('client_encoding', 'UTF8'),
                 ('default_transaction_isolation', $1), ('statement_timeout', '0'), ('lock_timeout', '0'),
                 ('transaction_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
                 ('idle_session_timeout', '0'), ('client_connection_check_interval', '1s'),
                 ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'))
         AS option (name, wanted)
    JOIN pg_settings USING (name)`,
  parameters: { isolation: sql.text },
  columns: { setting: sql.nullable(sql.text) },
});

export interface ConnectionOptions {
  /** Closes the connection. */
  readonly signal?: AbortSignal;
  /**
   * Isolation of the connection's transactions: with `repeatable read` all statements see the moment of the first one.
   */
  readonly isolation: 'read committed' | 'repeatable read';
}

/** A connection for long transactions. Closing it ends them at once, whatever they do. */
export class SnapshotConnection {
  private constructor(
    readonly client: Client,
    private readonly socket: Socket,
    private readonly signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', this.close);
  }

  /**
   * @throws SnapshotError behind a pooler, where locks and settings would belong to others
   */
  static async open(url: string, { signal, isolation }: ConnectionOptions): Promise<SnapshotConnection> {
    signal?.throwIfAborted();
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      application_name: 'waggle-rpc-gateway-snapshot',
      stream: () => socket,
    });
    // A connection that breaks also rejects what waits for it.
    client.on('error', () => undefined);
    const connection = new SnapshotConnection(client, socket, signal);
    try {
      await client.connect();
      if (await isPooled(client))
        throw new SnapshotError(
          'pooled',
          'DATABASE_URL must lead to PostgreSQL itself, not to a pooler such as PgBouncer',
        );
      await setOptions.execute(client, { isolation });
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Undoes what is not committed and releases all locks. */
  readonly close = (): void => {
    this.signal?.removeEventListener('abort', this.close);
    this.socket.destroy();
  };
}
