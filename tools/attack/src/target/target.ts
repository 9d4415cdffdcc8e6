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
import { type PostgresServer, provideDatabase, startPostgres, startRedis } from '@waggle/testing';
import { Client } from 'pg';
import { type Size } from '../attack';
import { HttpClient } from '../http-client';
import { isLive } from '../measurement/health-probe';
import { definitions, type Ground } from './definitions';
import { type ServiceName } from './services';

export interface TargetOptions {
  /** Another built checkout of the repository, whose services are attacked. */
  checkout: string | undefined;
  /** `--max-old-space-size` of each service, in MiB. */
  heapMebibytes: number;
  size: Size;
}

/** Enough for every attack of one run. */
const accountCount = 160;
const listenTimeoutMs = 20_000;

/** What is attacked: the services with their default limits, and PostgreSQL, Redis and a devnet beneath them. */
export class Target {
  readonly #services = new Map<ServiceName, ServiceProcess>();
  readonly #databases = new Map<ServiceName, Promise<string>>();
  #accounts = 0;
  #logins = 0;

  private constructor(
    readonly running: Running,
    readonly devnet: Devnet,
    private readonly options: TargetOptions,
    private readonly postgres: PostgresServer,
    private readonly ground: Ground,
  ) {}

  static async start(running: Running, options: TargetOptions): Promise<Target> {
    const postgres = running.keep(await startPostgres({ dataDir: 'temporary', settings: { max_wal_size: '16GB' } }));
    running.signal.throwIfAborted();
    const redis = running.keep(await startRedis());
    const devnet = running.keep(
      await startDevnet(Array.from({ length: accountCount }, (_none, index) => nameOf(index))),
    );
    const node = await OwnProcess.start(running, { name: 'node', script: 'tools/attack/dist/target/large-node.js' });
    const largeNodeUrl = await node.line('http', listenTimeoutMs);
    return new Target(running, devnet, options, postgres, { redisUrl: redis.url, devnetUrl: devnet.url, largeNodeUrl });
  }

  get size(): Size {
    return this.options.size;
  }

  /** An account that is on the chain and that nobody has used in this run. */
  newAccount(): string {
    this.#accounts += 1;
    if (this.#accounts > accountCount) throw new Error(`${accountCount} accounts are not enough`);
    return nameOf(this.#accounts - 1);
  }

  /** Whether a service was started and answers. */
  async isLive(name: ServiceName): Promise<boolean> {
    const service = this.#services.get(name);
    return service !== undefined && (await isLive(service.url));
  }

  /** A running service. @throws Error when it has not been started */
  service(name: ServiceName): ServiceProcess {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`${name} has not been started`);
    return service;
  }

  /**
   * Starts a service, instead of the one that runs.
   *
   * @param settings environment variables beyond the defaults
   */
  async restart(name: ServiceName, settings: Record<string, string> = {}): Promise<ServiceProcess> {
    await this.stop(name);
    const { checkout, heapMebibytes } = this.options;
    const databaseUrl = await this.#databaseOf(name);
    const service = await startService(
      this.running,
      name,
      (url) => ({ ...definitions[name].environment(this.ground, url), DATABASE_URL: databaseUrl, ...settings }),
      { checkout, nodeArguments: [`--max-old-space-size=${heapMebibytes}`] },
    );
    this.#services.set(name, service);
    return service;
  }

  /** Stops a service, also one that has ended. It is killed: with the clients of an attack it would take long to drain. */
  async stop(name: ServiceName): Promise<void> {
    await this.#services.get(name)?.process.discard();
    this.#services.delete(name);
  }

  /** Runs a statement in a service's database, as the administrator. */
  async query(name: ServiceName, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    await this.#databaseOf(name);
    const client = new Client({ connectionString: this.postgres.url(name) });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Logs an account in to the chat. @throws Error when the service refuses it */
  async logInToChat(account: string): Promise<LoginSession> {
    const ts = String(Date.now());
    const query = new URLSearchParams({ username: account, ts, sig: signAs(account, account + ts) });
    const text = await this.#logIn('chat', `/users/login?${query.toString()}`);
    return loginSession.parse(JSON.parse(text));
  }

  /** Logs an account in to the video log-in. @returns the token @throws Error when the service refuses it */
  async logInToVideo(account: string): Promise<string> {
    const text = await this.#logIn('video-auth', '/api/v1/auth/login_singleton', signedLogins([account], 1).join());
    return videoLogin.parse(JSON.parse(text)).access_token;
  }

  /** Each from an address of its own, so that log-ins of a run do not meet the limit of one address. */
  async #logIn(name: ServiceName, path: string, body?: string): Promise<string> {
    this.#logins += 1;
    const address = `127.2.${Math.floor(this.#logins / 250)}.${(this.#logins % 250) + 1}`;
    const client = new HttpClient(this.service(name).url, address);
    try {
      const { status, text } = await client.send(path, body === undefined ? {} : { method: 'POST', body });
      if (status >= 400) throw new Error(`${name} refuses a log-in: ${status} ${text}`);
      return text;
    } finally {
      await client.close();
    }
  }

  #databaseOf(name: ServiceName): Promise<string> {
    const provided = this.#databases.get(name) ?? this.#provideDatabase(name);
    this.#databases.set(name, provided);
    return provided;
  }

  async #provideDatabase(name: ServiceName): Promise<string> {
    const databaseUrl = await provideDatabase(this.postgres, name);
    await migrateService(this.running, name, databaseUrl, this.options.checkout);
    await definitions[name].fill?.(databaseUrl, this.options.size);
    return databaseUrl;
  }
}

function nameOf(index: number): string {
  return `account-${String(index).padStart(3, '0')}`;
}
