import { type Devnet } from '@waggle/devnet';
import { migrateService, OwnProcess, type Running, startDevnet, startService } from '@waggle/running';
import { provideDatabase, startRedis } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { type Sizes } from './sizes';

const app = 'video-auth';
const listenTimeoutMs = 20_000;

/** As in production, but without limits per address. */
const settings = {
  LOGINS_PER_MINUTE: '100000000',
  ACCOUNT_LOGINS_PER_MINUTE: '100000000',
  REQUESTS_PER_MINUTE: '100000000',
  RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
};

/** The servers: PostgreSQL, Redis, a devnet, the video log-in as it is deployed, and the baseline. */
export class LoginStack {
  private constructor(
    readonly running: Running,
    private readonly devnet: Devnet,
    /** Accounts that log in continuously. */
    readonly accounts: readonly string[],
    /** Accounts that the service has not cached, one for each run. */
    readonly uncachedAccounts: readonly string[],
    readonly serviceUrl: string,
    readonly bareRouteUrl: string,
  ) {}

  static async start(running: Running, { accounts: count, runs }: Sizes): Promise<LoginStack> {
    const accounts = Array.from({ length: count }, (_, number) => `bench-${number}`);
    const uncachedAccounts = Array.from({ length: runs }, (_, number) => `uncached-${number}`);
    const postgres = await startDurablePostgres(running);
    running.signal.throwIfAborted();
    const redis = running.use(await startRedis());
    running.signal.throwIfAborted();
    const devnet = running.use(await startDevnet([...accounts, ...uncachedAccounts]));
    const databaseUrl = await provideDatabase(postgres, app);
    await migrateService(running, app, databaseUrl);
    const service = await startService(running, app, (url) => ({
      ...settings,
      BASE_URL: url,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      HIVE_API_NODES: devnet.url,
    }));
    const bareRoute = await OwnProcess.start(running, {
      name: 'bare route',
      script: 'tools/bench/dist/login/baselines/bare-route.js',
      environment: { NODE_ENV: 'production' },
    });
    const bareRouteUrl = await bareRoute.line('http', listenTimeoutMs);
    return new LoginStack(running, devnet, accounts, uncachedAccounts, service.url, bareRouteUrl);
  }

  /** The number of calls to the chain for an account so far. */
  get lookups(): number {
    return this.devnet.node.calls.get('database_api.find_accounts') ?? 0;
  }
}
