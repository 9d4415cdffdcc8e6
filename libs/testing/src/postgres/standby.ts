import { Client } from 'pg';
import { until } from '../until';
import { PostgresServer } from './server';

/** How long `pg_promote` waits for the end of the recovery, in seconds. */
const promotionTimeoutSeconds = 60;

/** A streaming standby of another server. It serves reads until `promote`, and is a primary from then on. */
export class StandbyServer extends PostgresServer {
  /** Resolves when the standby has been promoted and accepts writes. It replays everything that it has received first. */
  async promote(): Promise<void> {
    await withAdministrator(this, async (client) => {
      await client.query('SELECT pg_promote(true, $1)', [promotionTimeoutSeconds]);
    });
  }

  /** Disconnects the standby from its primary, so that it lacks later commits. */
  async stopReceiving(): Promise<void> {
    await withAdministrator(this, async (client) => {
      await client.query(`ALTER SYSTEM SET primary_conninfo = ''`);
      await client.query('SELECT pg_reload_conf()');
      await until(async () => (await client.query('SELECT FROM pg_stat_wal_receiver')).rowCount === 0);
    });
  }
}

/** Runs statements as the administrator of a server, on a separate connection. */
export async function withAdministrator<T>(server: PostgresServer, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
