import {
  fillDelegations,
  migrateService,
  OwnProcess,
  type Running,
  type ServiceProcess,
  startService,
} from '@waggle/running';
import { type PostgresServer, provideDatabase } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { measurableArguments } from '../measure/resident-memory';
import { type Sizes } from './sizes';

const listenTimeoutMs = 20_000;

/** The servers: PostgreSQL; the others start when they are first used. */
export class DelegationStack {
  private filled: Promise<string> | undefined;
  private sharedApi: Promise<ServiceProcess> | undefined;
  private bareUrl: Promise<string> | undefined;
  private databases = 0;

  private constructor(
    readonly running: Running,
    private readonly postgres: PostgresServer,
    private readonly sizes: Sizes,
  ) {}

  static async start(running: Running, sizes: Sizes): Promise<DelegationStack> {
    return new DelegationStack(running, await startDurablePostgres(running, '512MB'), sizes);
  }

  /** Creates a migrated, empty database. */
  async emptyDatabase(): Promise<string> {
    this.databases += 1;
    const url = await provideDatabase(this.postgres, `delegation${this.databases}`);
    await migrateService(this.running, 'delegation', url);
    return url;
  }

  /** Starts another API, with the filled database. */
  async startApi(nodeArguments: readonly string[] = []): Promise<ServiceProcess> {
    const environment = {
      DATABASE_URL: await this.filledDatabase(),
      // As in production, but without limits per address.
      REQUESTS_PER_MINUTE: '1000000000',
      RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
    };
    return await startService(this.running, 'delegation', () => environment, { nodeArguments });
  }

  /** The API that all figures share. */
  api(): Promise<ServiceProcess> {
    this.sharedApi ??= this.startApi(this.sizes.sharesApi ? measurableArguments : []);
    return this.sharedApi;
  }

  bareFastifyUrl(): Promise<string> {
    this.bareUrl ??= this.startBareFastify();
    return this.bareUrl;
  }

  /** A database with all delegations. */
  private filledDatabase(): Promise<string> {
    this.filled ??= this.fill();
    return this.filled;
  }

  private async fill(): Promise<string> {
    const url = await this.emptyDatabase();
    await fillDelegations(url, this.sizes);
    return url;
  }

  private async startBareFastify(): Promise<string> {
    const process = await OwnProcess.start(this.running, {
      name: 'bare Fastify',
      script: 'tools/bench/dist/delegation/baselines/bare-fastify.js',
      environment: { NODE_ENV: 'production', DATABASE_URL: await this.filledDatabase() },
    });
    return await process.line('http', listenTimeoutMs);
  }
}
