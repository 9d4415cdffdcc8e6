import {
  TcpProxy,
  type PostgresServer,
  provideDatabase,
  type StandbyServer,
  startPostgres,
  startStandby,
  type TestDatabase,
} from '@waggle/testing';
import { migrate } from '../../src/database';

/** The chat's database on a primary with a streaming standby, which a proxy gives one address that stays the same. */
export class ReplicatedDatabase implements TestDatabase {
  private constructor(
    private primary: PostgresServer,
    private readonly standby: StandbyServer,
    private readonly proxy: TcpProxy,
    readonly url: string,
  ) {}

  static async start(replication: 'synchronous' | 'asynchronous'): Promise<ReplicatedDatabase> {
    const primary = await startPostgres({ dataDir: 'temporary' });
    const url = new URL(await provideDatabase(primary, 'chat'));
    await migrate(url.href);
    const standby = await startStandby(primary, { replication });
    const proxy = await TcpProxy.to(() => [database.primary.port]);
    url.port = String(proxy.port);
    const database: ReplicatedDatabase = new ReplicatedDatabase(primary, standby, proxy, url.href);
    return database;
  }

  /** From now on commits are lost when the standby is promoted. */
  async stopReplication(): Promise<void> {
    await this.standby.stopReceiving();
  }

  /** Kills the primary and promotes the standby, which has the address from then on. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    await this.standby.promote();
    await this.primary.stop();
    this.primary = this.standby;
  }

  async drop(): Promise<void> {
    await this.proxy.stop();
    if (this.primary !== this.standby) await this.primary.stop();
    await this.standby.stop();
  }
}
