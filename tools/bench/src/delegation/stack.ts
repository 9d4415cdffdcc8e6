import { fillDelegations, type Running } from '@waggle/running';
import { type PostgresServer, provideDatabase, startPostgres } from '@waggle/testing';
import { type BenchServer, migrateDelegation, startApi, startBareFastify } from './service';
import { type Sizes } from './sizes';

/** As durable as in production. No checkpoint falls into one run and not into another. */
const postgresSettings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '16GB',
  checkpoint_timeout: '1d',
  shared_buffers: '512MB',
};

/** The servers of a bench: PostgreSQL at once, the others when they are first asked for. */
export class DelegationStack {
  #filled: Promise<string> | undefined;
  #api: Promise<BenchServer> | undefined;
  #bare: Promise<BenchServer> | undefined;
  #databases = 0;

  private constructor(
    readonly running: Running,
    private readonly postgres: PostgresServer,
    private readonly sizes: Sizes,
  ) {}

  static async start(running: Running, sizes: Sizes): Promise<DelegationStack> {
    const postgres = running.keep(await startPostgres({ dataDir: 'temporary', settings: postgresSettings }));
    return new DelegationStack(running, postgres, sizes);
  }

  /** A database with all the delegations. */
  filledDatabase(): Promise<string> {
    this.#filled ??= this.fill();
    return this.#filled;
  }

  /** Another database, migrated and empty. */
  async emptyDatabase(): Promise<string> {
    this.#databases += 1;
    const url = await provideDatabase(this.postgres, `delegation${this.#databases}`);
    await migrateDelegation(this.running, url);
    return url;
  }

  /** The API that goes on running from figure to figure. */
  api(): Promise<BenchServer> {
    this.#api ??= this.filledDatabase().then((url) => startApi(this.running, url));
    return this.#api;
  }

  bareFastify(): Promise<BenchServer> {
    this.#bare ??= this.filledDatabase().then((url) => startBareFastify(this.running, url));
    return this.#bare;
  }

  private async fill(): Promise<string> {
    const url = await this.emptyDatabase();
    await fillDelegations(url, this.sizes);
    return url;
  }
}
