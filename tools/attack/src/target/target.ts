import { type LoginSession, loginSession, videoLogin } from '@waggle/contracts';
import { type Devnet } from '@waggle/devnet';
import {
  migrateService,
  OwnProcess,
  type Running,
  type ServiceProcess,
  signAs,
  signedLogins,
  startDevnet,
  startService,
} from '@waggle/running';
import { type PostgresServer, provideDatabase, type RedisServer, startPostgres, startRedis } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { type Size } from './size';
import { HttpClient } from '../traffic/http-client';
import { definitions, type Backends } from './definitions';
import { type ServiceName } from './services';

export interface TargetOptions {
  /** Another built checkout of the repository, whose services are attacked. */
  checkout: string | undefined;
  /** `--max-old-space-size` of each service, in MiB. */
  heapMebibytes: number;
  size: Size;
}

const listenTimeoutMs = 20_000;

interface Database {
  /** Of the service's role. */
  url: string;
  /**
   * One open connection: an attack that polled over new ones slowed the honest clients down more than the attacker did.
   */
  administrator: Pool;
}

/** Locks of a transaction. */
interface HeldLocks {
  /** Of the transaction's backend. */
  pid: number;
  release: () => Promise<void>;
}

const backendRows = z.tuple([z.object({ pid: z.number() })]);

/** The services with their default limits, and the PostgreSQL, Redis and devnet that they use. */
export class Target {
  private readonly services = new Map<ServiceName, ServiceProcess>();
  private readonly databases = new Map<ServiceName, Promise<Database>>();
  private accounts = 0;
  private logins = 0;

  private constructor(
    readonly running: Running,
    readonly devnet: Devnet,
    private readonly options: TargetOptions,
    private readonly postgres: PostgresServer,
    private readonly redis: RedisServer,
    private readonly backends: Backends,
  ) {}

  static async start(running: Running, options: TargetOptions): Promise<Target> {
    const postgres = running.use(await startPostgres({ dataDir: 'temporary', settings: { max_wal_size: '16GB' } }));
    running.signal.throwIfAborted();
    const redis = running.use(await startRedis());
    const devnet = running.use(await startDevnet([]));
    const node = await OwnProcess.start(running, { name: 'node', script: 'tools/attack/dist/target/large-node.js' });
    const largeNodeUrl = await node.line('http', listenTimeoutMs);
    const backends = { redisUrl: redis.url, devnetUrl: devnet.url, largeNodeUrl };
    return new Target(running, devnet, options, postgres, redis, backends);
  }

  get size(): Size {
    return this.options.size;
  }

  /** Creates an account on the chain. @returns its name */
  newAccount(): string {
    const name = `account-${String(this.accounts).padStart(3, '0')}`;
    this.accounts += 1;
    this.devnet.createAccount(name);
    return name;
  }

  /** Returns a running service. @throws Error if it was not started */
  service(name: ServiceName): ServiceProcess {
    const service = this.services.get(name);
    if (service === undefined) throw new Error(`${name} has not been started`);
    return service;
  }

  /**
   * Starts a service in place of the running one, which is killed: with the clients of an attack it would take long to
   * drain.
   */
  async restart(name: ServiceName): Promise<void> {
    await this.services.get(name)?.process.discard();
    this.services.delete(name);
    const { checkout, heapMebibytes } = this.options;
    const { url: databaseUrl } = await this.databaseOf(name);
    const service = await startService(
      this.running,
      name,
      (url) => ({ ...definitions[name].environment(this.backends, url), DATABASE_URL: databaseUrl }),
      { checkout, nodeArguments: [`--max-old-space-size=${heapMebibytes}`] },
    );
    this.services.set(name, service);
  }

  /** Runs a statement in a service's database, as the administrator. */
  async query(name: ServiceName, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const { administrator } = await this.databaseOf(name);
    const { rows } = await administrator.query<Record<string, unknown>>(text, [...values]);
    return rows;
  }

  /** Runs a statement in a service's database, as the administrator, and holds the locks that it takes. */
  async holdLocks(name: ServiceName, text: string, values: readonly unknown[]): Promise<HeldLocks> {
    const client = new Client({ connectionString: this.postgres.url(name) });
    await client.connect();
    await client.query('BEGIN');
    await client.query(text, [...values]);
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const [{ pid }] = backendRows.parse(rows);
    return { pid, release: () => client.end() };
  }

  /**
   * Deletes the used log-in proofs of an account from Redis, as a restart of Redis does. @throws Error if it has none
   */
  async forgetProofs(account: string): Promise<void> {
    const script = `return redis.call('DEL', unpack(redis.call('KEYS', ARGV[1])))`;
    const reply = await this.redis.command(`EVAL "${script}" 0 *:proof:${account}:*`);
    if (!reply.startsWith(':')) throw new Error(`Redis has no proofs of ${account}: ${reply.trim()}`);
  }

  /** Logs an account in to the chat. @throws Error if the service rejects it */
  async logInToChat(account: string, ts = String(Date.now())): Promise<LoginSession> {
    const query = new URLSearchParams({ username: account, ts, sig: signAs(account, account + ts) });
    const text = await this.logIn('chat', `/users/login?${query.toString()}`);
    return loginSession.parse(JSON.parse(text));
  }

  /** Logs an account in to the video log-in. @returns the token @throws Error if the service rejects it */
  async logInToVideo(account: string, body = signedLogins([account], 1).join()): Promise<string> {
    const text = await this.logIn('video-auth', '/api/v1/auth/login_singleton', body);
    return videoLogin.parse(JSON.parse(text)).access_token;
  }

  /** Uses a new address for each log-in, so that they do not reach the limit of an address. */
  private async logIn(name: ServiceName, path: string, body?: string): Promise<string> {
    this.logins += 1;
    const address = `127.2.${Math.floor(this.logins / 250)}.${(this.logins % 250) + 1}`;
    const client = new HttpClient(this.service(name).url, address);
    try {
      const { status, text } = await client.send(path, body === undefined ? {} : { method: 'POST', body });
      if (status >= 400) throw new Error(`${name} rejects a log-in: ${status} ${text}`);
      return text;
    } finally {
      await client.close();
    }
  }

  private databaseOf(name: ServiceName): Promise<Database> {
    const provided = this.databases.get(name) ?? this.provideDatabase(name);
    this.databases.set(name, provided);
    return provided;
  }

  private async provideDatabase(name: ServiceName): Promise<Database> {
    const url = await provideDatabase(this.postgres, name);
    await migrateService(this.running, name, url, this.options.checkout);
    await definitions[name].fill?.(url, this.options.size);
    const administrator = new Pool({ connectionString: this.postgres.url(name), max: 1 });
    this.running.use({ stop: () => administrator.end() });
    return { url, administrator };
  }
}
