import { randomUUID } from 'node:crypto';
import { createLogger, type NamedClient, type Service } from '@waggle/service';
import { Devnet } from '@waggle/devnet';
import { createTemplate, createTestDatabase, type TestDatabase } from '@waggle/testing';
import { createVideoAuth } from '../../src/app';
import { readConfig, type VideoAuthConfig } from '../../src/config';
import { migrate } from '../../src/database';
import { newKeyDocument } from '../../src/tokens/key-document';
import { VideoAuthClient } from './video-auth-client';

/** The changes of a test to the configuration, by section. */
export interface ConfigChanges {
  database?: Partial<VideoAuthConfig['database']>;
  hive?: Partial<VideoAuthConfig['hive']>;
  tokens?: Partial<VideoAuthConfig['tokens']>;
  login?: Partial<VideoAuthConfig['login']>;
  challenges?: Partial<VideoAuthConfig['challenges']>;
  keyChecks?: Partial<VideoAuthConfig['keyChecks']>;
  rateLimits?: Partial<VideoAuthConfig['rateLimits']>;
  trustedProxies?: string[];
  namedClients?: NamedClient[];
}

/** Most tests send more requests at once than people do, all from one address. */
const generous = { logins: 1e6, accountLogins: 1e6, checks: 1e6, requests: 1e6 };

/** One set of keys for all tests: instances of one deployment share theirs. */
export const tokenKeys = JSON.stringify(newKeyDocument(new Date()));

/** A whole video log-in on port 0, with its own database and its own chain. */
export class VideoAuthUnderTest {
  private constructor(
    readonly devnet: Devnet,
    readonly database: TestDatabase,
    private readonly instances: VideoAuthInstance[],
    /** The Redis that its instances share, if any. */
    private readonly redis: VideoAuthConfig['redis'],
  ) {}

  static async start(changes: ConfigChanges = {}): Promise<VideoAuthUnderTest> {
    const service = new VideoAuthUnderTest(await Devnet.start(), await freshDatabase(), [], undefined);
    await service.addInstance(changes);
    return service;
  }

  /** Starts a service whose instances share a Redis, by default the test run's, under a prefix of their own. */
  static async startWithRedis(
    changes: ConfigChanges = {},
    url = process.env['TEST_REDIS_URL'],
  ): Promise<VideoAuthUnderTest> {
    if (url === undefined) throw new Error('the test set-up names no Redis');
    const redis = { urls: url.split(','), prefix: `test:${randomUUID()}:` };
    const service = new VideoAuthUnderTest(await Devnet.start(), await freshDatabase(), [], redis);
    await service.addInstance(changes);
    return service;
  }

  /** The first instance. */
  get instance(): VideoAuthInstance {
    const [first] = this.instances;
    if (first === undefined) throw new Error('the service has been stopped');
    return first;
  }

  /** Starts another instance, by default on the same database. */
  async addInstance(changes: ConfigChanges = {}): Promise<VideoAuthInstance> {
    const instance = await VideoAuthInstance.start(this.configuration(changes));
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

  private configuration(changes: ConfigChanges): VideoAuthConfig {
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: this.database.url,
      HIVE_API_NODES: this.devnet.urls.join(','),
      BASE_URL: 'https://video.example',
      CORS_ORIGINS: 'https://app.example',
      TOKEN_KEYS: tokenKeys,
    });
    return {
      ...config,
      http: {
        ...config.http,
        responses: { ...config.http.responses, bytesPerSecond: 1e9 },
        trustedProxies: changes.trustedProxies ?? [],
        namedClients: changes.namedClients ?? [],
      },
      logLevel: 'trace',
      redis: this.redis,
      // A busy machine may need longer to connect than the default.
      database: { ...config.database, connectTimeoutMs: 20_000, ...changes.database },
      hive: { ...config.hive, ...changes.hive },
      tokens: { ...config.tokens, ...changes.tokens },
      login: { ...config.login, ...changes.login },
      challenges: { ...config.challenges, ...changes.challenges },
      keyChecks: { ...config.keyChecks, ...changes.keyChecks },
      rateLimits: { ...config.rateLimits, ...generous, ...changes.rateLimits },
    };
  }
}

/** A migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('video_auth', migrate));
}

/** One instance of the service in this process, with the methods of a client. */
export class VideoAuthInstance extends VideoAuthClient {
  private constructor(
    private readonly service: Service,
    url: string,
    /** Every line that the instance logged. */
    readonly logLines: readonly string[],
  ) {
    super(url);
  }

  static async start(config: VideoAuthConfig): Promise<VideoAuthInstance> {
    const logLines: string[] = [];
    const logger = createLogger('video-auth', config.logLevel, { write: (line) => logLines.push(line) });
    const service = await createVideoAuth(config, logger);
    await service.app.listen({ host: config.http.host, port: config.http.port });
    return new VideoAuthInstance(service, await service.app.getUrl(), logLines);
  }

  /** A provider of the application. */
  provided<T>(type: abstract new (...args: never[]) => T): T {
    return this.service.app.get<T>(type);
  }

  async stop(): Promise<void> {
    await this.service.app.close();
  }
}
