import { createLogger, type NamedClient, type Service } from '@waggle/service';
import { createTemplate, createTestDatabase, type TestDatabase } from '@waggle/testing';
import { Pool } from 'undici';
import { createDelegation } from '../../src/app';
import { type DelegationConfig, readApiConfig } from '../../src/config';
import { migrate } from '../../src/database';
import { Feed } from './feed';

/** The changes of a test to the configuration, by section. */
export interface ConfigChanges {
  corsOrigins?: string[];
  trustedProxies?: string[];
  namedClients?: NamedClient[];
  database?: Partial<DelegationConfig['database']>;
  exports?: Partial<DelegationConfig['exports']>;
  rateLimits?: Partial<DelegationConfig['rateLimits']>;
  hasExplorer?: boolean;
}

export interface TextResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('delegation', migrate));
}

/** The API on port 0 with a database of its own. Tests apply blocks to it directly, as the follower would do. */
export class DelegationUnderTest {
  private constructor(
    readonly database: TestDatabase,
    readonly feed: Feed,
    private readonly api: Service,
    readonly url: string,
    private readonly http: Pool,
    private readonly isDatabaseOwn: boolean,
    /** Every line that the API logged. */
    readonly logLines: readonly string[],
  ) {}

  /** @param database of another one, which continues */
  static async start(changes: ConfigChanges = {}, database?: TestDatabase): Promise<DelegationUnderTest> {
    const used = database ?? (await freshDatabase());
    const config = readApiConfig({ HOST: '127.0.0.1', PORT: '0', DATABASE_URL: used.url });
    const logLines: string[] = [];
    const logger = createLogger('delegation', 'trace', { write: (line) => logLines.push(line) });
    const api = await createDelegation(
      {
        ...config,
        http: {
          ...config.http,
          corsOrigins: changes.corsOrigins ?? [],
          trustedProxies: changes.trustedProxies ?? [],
          namedClients: changes.namedClients ?? [],
        },
        database: { ...config.database, ...changes.database },
        exports: { ...config.exports, ...changes.exports },
        rateLimits: { periodSeconds: 60, requests: 1e9, ...changes.rateLimits },
        // Its files exist only after a build.
        hasExplorer: changes.hasExplorer ?? false,
      },
      logger,
    );
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const url = await api.app.getUrl();
    return new DelegationUnderTest(
      used,
      await Feed.into(used.url),
      api,
      url,
      new Pool(url, { connections: 8 }),
      database === undefined,
      logLines,
    );
  }

  /** @param path of a GET, with its query */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<TextResponse> {
    const response = await this.http.request({ method: 'GET', path, headers });
    const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: response.statusCode, headers: Object.fromEntries(entries), text: await response.body.text() };
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.feed.close();
    await this.api.app.close();
    if (this.isDatabaseOwn) await this.database.drop();
  }
}
