import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createLogger, OpenConnections, type NamedClient, type Service } from '@waggle/service';
import { Devnet } from '@waggle/devnet';
import { createTemplate, createTestDatabase, type TestDatabase } from '@waggle/testing';
import { createChat } from '../../src/app';
import { readConfig, type ChatConfig } from '../../src/config';
import { migrate } from '../../src/database';
import { ChatClient } from './chat-client';

/** Changes of the configuration, by section. */
export interface ConfigChanges {
  search?: ChatConfig['search'];
  database?: Partial<ChatConfig['database']>;
  hive?: Partial<ChatConfig['hive']>;
  login?: Partial<ChatConfig['login']>;
  keyChecks?: ChatConfig['keyChecks'];
  realtime?: Partial<ChatConfig['realtime']>;
  admins?: string[];
  tokens?: Partial<ChatConfig['tokens']>;
  cookies?: Partial<ChatConfig['cookies']>;
  rateLimits?: Partial<ChatConfig['rateLimits']>;
  accountLimits?: Partial<ChatConfig['accountLimits']>;
  limits?: Partial<ChatConfig['limits']>;
  messages?: Partial<ChatConfig['messages']>;
  trustedProxies?: string[];
  namedClients?: NamedClient[];
  webClient?: ChatConfig['webClient'];
}

/** High limits, since tests send more requests than users, from one address. */
const highLimits = {
  rateLimits: { logins: 1e6, accountLogins: 1e6, requests: 1e6, connections: 1e6 },
  accountLimits: { connections: 1e6, frames: { perSecond: 1e6, burst: 1e6 } },
};

/** A long timeout of database connections, since the machine may be busy. */
const longTimeout = { connectTimeoutMs: 20_000 };

/** The timeout for tests of an unavailable database. */
export const shortTimeout: ConfigChanges = { database: { connectTimeoutMs: 2_000 } };

/** How long connections without a request may keep a stopping instance. */
const unusedGraceMs = 500;

/** One key for all tests, as instances of a deployment share theirs. */
export const tokenPrivateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();

/** A complete chat on port 0, with its own database and chain. */
export class ChatUnderTest {
  private constructor(
    readonly devnet: Devnet,
    readonly database: TestDatabase,
    private readonly instances: ChatInstance[],
    /** The Redis that its instances share, if any. */
    private readonly redis: ChatConfig['redis'],
  ) {}

  /** @param database by default a new one on the server of the test run */
  static async start(changes: ConfigChanges = {}, database?: TestDatabase): Promise<ChatUnderTest> {
    const chat = new ChatUnderTest(await Devnet.start(), database ?? (await freshDatabase()), [], undefined);
    await chat.addInstance(changes);
    return chat;
  }

  /** Starts a chat whose instances share a Redis, by default the test run's, with a prefix of their own. */
  static async startWithRedis(
    changes: ConfigChanges = {},
    url = process.env['TEST_REDIS_URL'],
    database?: TestDatabase,
  ): Promise<ChatUnderTest> {
    if (url === undefined) throw new Error('the test set-up names no Redis');
    const redis = { urls: url.split(','), prefix: `test:${randomUUID()}:` };
    const chat = new ChatUnderTest(await Devnet.start(), database ?? (await freshDatabase()), [], redis);
    await chat.addInstance(changes);
    return chat;
  }

  /** The first instance. */
  get instance(): ChatInstance {
    const [first] = this.instances;
    if (first === undefined) throw new Error('the chat has been stopped');
    return first;
  }

  /**
   * Starts another instance on the same database.
   * @param redisUrl the only URL of the shared Redis in its configuration
   */
  async addInstance(changes: ConfigChanges = {}, redisUrl?: string): Promise<ChatInstance> {
    const { redis, ...config } = this.configuration(changes);
    const ownRedis = redis === undefined || redisUrl === undefined ? redis : { ...redis, urls: [redisUrl] };
    const instance = await ChatInstance.start({ ...config, redis: ownRedis });
    this.instances.push(instance);
    return instance;
  }

  async stop(): Promise<void> {
    try {
      for (const instance of this.instances.splice(0)) await instance.stop();
    } finally {
      await this.devnet.stop();
      await this.database.drop();
    }
  }

  private configuration(changes: ConfigChanges): ChatConfig {
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: this.database.url,
      HIVE_API_NODES: this.devnet.urls.join(','),
      TOKEN_PRIVATE_KEY: tokenPrivateKey,
      CORS_ORIGINS: 'https://app.example',
      BEARER_ORIGINS: 'https://bearer.example',
    });
    return {
      ...config,
      http: {
        ...config.http,
        responses: { ...config.http.responses, bytesPerSecond: 1e9 },
        trustedProxies: changes.trustedProxies ?? [],
        namedClients: changes.namedClients ?? [],
      },
      rateLimits: { ...config.rateLimits, ...highLimits.rateLimits, ...changes.rateLimits },
      accountLimits: { ...config.accountLimits, ...highLimits.accountLimits, ...changes.accountLimits },
      limits: { ...config.limits, ...changes.limits },
      messages: { ...config.messages, ...changes.messages },
      search: changes.search ?? config.search,
      database: { ...config.database, ...longTimeout, ...changes.database },
      hive: { ...config.hive, ...changes.hive },
      logLevel: 'trace',
      login: { ...config.login, ...changes.login },
      keyChecks: changes.keyChecks ?? config.keyChecks,
      admins: changes.admins ?? config.admins,
      realtime: { ...config.realtime, ...changes.realtime },
      redis: this.redis,
      tokens: { ...config.tokens, ...changes.tokens },
      cookies: { ...config.cookies, ...changes.cookies },
      // Its files exist only after a build.
      webClient: changes.webClient,
    };
  }
}

/** Creates a migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('chat', migrate));
}

/** An instance of the chat, with a client of it. */
export class ChatInstance extends ChatClient {
  private constructor(
    private readonly chat: Service,
    private readonly connections: OpenConnections,
    url: string,
    /** Every line that the instance logged. */
    readonly logLines: readonly string[],
  ) {
    super(url);
  }

  static async start(config: ChatConfig): Promise<ChatInstance> {
    const logLines: string[] = [];
    const logger = createLogger('chat', config.logLevel, { write: (line) => logLines.push(line) });
    const chat = await createChat(config, logger);
    const connections = new OpenConnections(chat.app.getHttpServer());
    await chat.app.listen({ host: config.http.host, port: config.http.port });
    return new ChatInstance(chat, connections, await chat.app.getUrl(), logLines);
  }

  /** Returns a provider of the application. */
  provided<T>(type: abstract new (...args: never[]) => T): T {
    return this.chat.app.get<T>(type);
  }

  async stop(): Promise<void> {
    try {
      await this.close();
    } finally {
      await this.closeApplication();
    }
  }

  private async closeApplication(): Promise<void> {
    // Requests that are aborted while they connect leave connections that the server would wait a minute for.
    const unusedGrace = setTimeout(() => {
      this.connections.closeUnused();
    }, unusedGraceMs);
    try {
      await this.chat.app.close();
    } finally {
      clearTimeout(unusedGrace);
    }
  }
}
