import { type LoginSession } from '@waggle/contracts';
import {
  type ChatInstance,
  type ChatSurroundings,
  logIn,
  migrateChat,
  newTokenKey,
  type OwnProcess,
  type Running,
  startChat,
  startDevnet,
} from '@waggle/running';
import { type PostgresServer, provideDatabase, startRedis } from '@waggle/testing';
import { startDurablePostgres } from '../measure/durable-postgres';
import { type Accounts, accountsFor } from './accounts';
import { type BaselineName, type BaselineServer, startBaseline } from './baselines';
import { type Sizes } from './sizes';

/** How many accounts log in at once. */
const loginsAtOnce = 8;

/** The servers of a bench: PostgreSQL, Redis and a devnet at once; the chat and the baselines when they are first asked for. */
export class ChatStack {
  readonly #sessions = new Map<string, LoginSession>();
  readonly #baselines = new Map<BaselineName, Promise<BaselineServer>>();
  #chat: Promise<ChatInstance> | undefined;

  private constructor(
    readonly running: Running,
    readonly accounts: Accounts,
    private readonly postgres: PostgresServer,
    private readonly surroundings: ChatSurroundings,
  ) {}

  static async start(running: Running, sizes: Sizes): Promise<ChatStack> {
    const accounts = accountsFor(sizes);
    const postgres = await startDurablePostgres(running);
    running.signal.throwIfAborted();
    const redis = running.keep(await startRedis());
    running.signal.throwIfAborted();
    const devnet = running.keep(await startDevnet(accounts.all));
    const databaseUrl = await provideDatabase(postgres, 'chat');
    await migrateChat(running, databaseUrl);
    return new ChatStack(running, accounts, postgres, {
      databaseUrl,
      redisUrl: redis.url,
      devnetUrl: devnet.url,
      tokenPrivateKey: newTokenKey(),
    });
  }

  /** As the administrator, to fill tables. */
  get chatDatabaseUrl(): string {
    return this.postgres.url('chat');
  }

  /** The instance that goes on running from figure to figure. */
  chat(): Promise<ChatInstance> {
    this.#chat ??= this.startChat();
    return this.#chat;
  }

  /** Another instance, on the same database and Redis. */
  startChat(nodeArguments: readonly string[] = []): Promise<ChatInstance> {
    return startChat(this.running, this.surroundings, { nodeArguments });
  }

  /** A baseline that goes on running from figure to figure. */
  baseline(name: BaselineName): Promise<BaselineServer> {
    const started = this.#baselines.get(name) ?? this.startBaseline(name);
    this.#baselines.set(name, started);
    return started;
  }

  async startBaseline(name: BaselineName, nodeArguments: readonly string[] = []): Promise<BaselineServer> {
    const databaseUrl = name === 'relay' ? '' : await provideDatabase(this.postgres, name);
    return await startBaseline(this.running, name, databaseUrl, nodeArguments);
  }

  /** The processes whose CPU time a message costs: a server, and PostgreSQL with all its processes. */
  processesOf({ pid }: OwnProcess): Record<string, number> {
    const postgres = this.postgres.pid;
    return { server: pid, ...(postgres !== undefined && { PostgreSQL: postgres }) };
  }

  /** The session of each account, which holds at every instance; an account logs in once. */
  async sessions(accounts: readonly string[]): Promise<LoginSession[]> {
    const { url } = await this.chat();
    const missing = accounts.filter((account) => !this.#sessions.has(account));
    const logInSome = async () => {
      for (let account = missing.pop(); account !== undefined; account = missing.pop()) {
        this.running.signal.throwIfAborted();
        this.#sessions.set(account, await logIn(url, account));
      }
    };
    await Promise.all(Array.from({ length: loginsAtOnce }, logInSome));
    return accounts.map((account) => this.#sessions.get(account) ?? neverLoggedIn(account));
  }

  async session(account: string): Promise<LoginSession> {
    const [session] = await this.sessions([account]);
    return session ?? neverLoggedIn(account);
  }
}

function neverLoggedIn(account: string): never {
  throw new Error(`${account} has not logged in`);
}
