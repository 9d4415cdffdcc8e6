import { type LoginSession } from '@waggle/contracts';
import {
  type SharedChatSettings,
  logIn,
  migrateService,
  newTokenKey,
  OwnProcess,
  type Running,
  type ServiceProcess,
  startChat,
  startDevnet,
} from '@waggle/running';
import { type PostgresServer, provideDatabase, startRedis, waitLimitMs } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { measurableArguments } from '../measure/resident-memory';
import { type Accounts, accountsFor } from './accounts';
import { type Sizes } from './sizes';

const concurrentLogins = 8;

const listenTimeoutMs = 20_000;

/** The servers: PostgreSQL, Redis and a devnet; the chat and the baseline start when they are first used. */
export class ChatStack {
  private readonly sessionByAccount = new Map<string, LoginSession>();
  private sharedChat: Promise<ServiceProcess> | undefined;
  private sharedBaseline: Promise<ServiceProcess> | undefined;
  private baselines = 0;

  private constructor(
    readonly running: Running,
    readonly accounts: Accounts,
    private readonly postgres: PostgresServer,
    private readonly settings: SharedChatSettings,
    private readonly sizes: Sizes,
  ) {}

  /** @param sharedBuffers memory of PostgreSQL @param others settings of the chat besides the usual ones */
  static async start(
    running: Running,
    sizes: Sizes,
    { sharedBuffers, settings: others }: { sharedBuffers?: string; settings?: Record<string, string> } = {},
  ): Promise<ChatStack> {
    const accounts = accountsFor(sizes);
    const postgres = await startDurablePostgres(running, sharedBuffers);
    running.signal.throwIfAborted();
    const redis = running.use(await startRedis());
    running.signal.throwIfAborted();
    const devnet = running.use(await startDevnet(accounts.all));
    const databaseUrl = await provideDatabase(postgres, 'chat');
    await migrateService(running, 'chat', databaseUrl);
    const settings = {
      databaseUrl,
      redisUrl: redis.url,
      devnetUrl: devnet.url,
      tokenPrivateKey: newTokenKey(),
      others,
    };
    return new ChatStack(running, accounts, postgres, settings, sizes);
  }

  get chatDatabaseUrl(): string {
    return this.postgres.url('chat');
  }

  /** Restarts PostgreSQL, which empties its memory, and waits until the chat is ready again. */
  async restartPostgres(): Promise<void> {
    const { url, process } = await this.chat();
    await this.postgres.restart();
    await process.until('ready', waitLimitMs, async () => {
      const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(waitLimitMs) });
      await response.arrayBuffer();
      return response.ok;
    });
  }

  /** The instance that all figures share. */
  chat(): Promise<ServiceProcess> {
    this.sharedChat ??= this.startChat(this.sharedArguments);
    return this.sharedChat;
  }

  /** Starts another instance with the same database and Redis. */
  startChat(nodeArguments: readonly string[] = []): Promise<ServiceProcess> {
    return startChat(this.running, this.settings, { nodeArguments });
  }

  /** The baseline that all figures share. */
  baseline(): Promise<ServiceProcess> {
    this.sharedBaseline ??= this.startBaseline(this.sharedArguments);
    return this.sharedBaseline;
  }

  /** Starts another baseline, with an empty database. */
  async startBaseline(nodeArguments: readonly string[]): Promise<ServiceProcess> {
    this.baselines += 1;
    const process = await OwnProcess.start(this.running, {
      name: 'insert-each',
      script: 'tools/bench/dist/chat/baselines/insert-each.js',
      nodeArguments,
      environment: {
        NODE_ENV: 'production',
        DATABASE_URL: await provideDatabase(this.postgres, `baseline${this.baselines}`),
      },
    });
    return { url: await process.line('http', listenTimeoutMs), process };
  }

  private get sharedArguments(): readonly string[] {
    return this.sizes.sharesServers ? measurableArguments : [];
  }

  /** The processes whose CPU time is measured: a server, and PostgreSQL with its children. */
  processesOf({ pid }: OwnProcess): Record<string, number> {
    const postgres = this.postgres.pid;
    return { server: pid, ...(postgres !== undefined && { PostgreSQL: postgres }) };
  }

  /** Returns a session of each account, in order; logs in those without one. Sessions are valid at every instance. */
  async sessions(accounts: readonly string[]): Promise<LoginSession[]> {
    const { url } = await this.chat();
    const missing = accounts.filter((account) => !this.sessionByAccount.has(account));
    const logInSome = async (): Promise<void> => {
      for (let account = missing.pop(); account !== undefined; account = missing.pop()) {
        this.running.signal.throwIfAborted();
        this.sessionByAccount.set(account, await logIn(url, account));
      }
    };
    await Promise.all(Array.from({ length: concurrentLogins }, logInSome));
    return accounts.map((account) => this.sessionByAccount.get(account) ?? neverLoggedIn(account));
  }

  async session(account: string): Promise<LoginSession> {
    const [session] = await this.sessions([account]);
    return session ?? neverLoggedIn(account);
  }
}

function neverLoggedIn(account: string): never {
  throw new Error(`${account} has not logged in`);
}
