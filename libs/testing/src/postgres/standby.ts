import { until } from '../until';
import { PostgresServer } from './server';
import { withDatabase } from './with-database';

/** Maximum time that `pg_promote` waits for the end of the recovery, in seconds. */
const promotionTimeoutSeconds = 60;

/** A streaming standby of another server. It serves reads until `promote`, and is a primary from then on. */
export class StandbyServer extends PostgresServer {
  /** Resolves when the standby is promoted and accepts writes. It first replays everything that it received. */
  async promote(): Promise<void> {
    await withDatabase(this.url(), (client) => client.query('SELECT pg_promote(true, $1)', [promotionTimeoutSeconds]));
  }

  /** Disconnects the standby from its primary, so that it lacks later commits. */
  async stopReceiving(): Promise<void> {
    await withDatabase(this.url(), async (client) => {
      await client.query(`ALTER SYSTEM SET primary_conninfo = ''`);
      await client.query('SELECT pg_reload_conf()');
      await until(async () => (await client.query('SELECT FROM pg_stat_wal_receiver')).rowCount === 0);
    });
  }
}
