import { createHash, generateKeyPairSync } from 'node:crypto';
import { type LoginSession } from '@waggle/contracts';
import { createLogger } from '@waggle/service';
import {
  createTemplate,
  createTestDatabase,
  Devnet,
  devnetKeys,
  signDigest,
  WebSocketClient,
  type TestDatabase,
} from '@waggle/testing';
import { createChat, type Chat } from '../src/app';
import { readConfig, type ChatConfig } from '../src/config';
import { migrate } from '../src/database';

/** What a test changes of the configuration, section by section. */
export interface ConfigChanges {
  database?: Partial<ChatConfig['database']>;
  hive?: Partial<ChatConfig['hive']>;
  login?: Partial<ChatConfig['login']>;
  realtime?: Partial<ChatConfig['realtime']>;
  redisUrl?: string;
  tokens?: Partial<ChatConfig['tokens']>;
}

/** One key for all tests: instances of one deployment share theirs. */
export const tokenPrivateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();

/** A whole chat on port 0, with its own database and its own chain. */
export class ChatUnderTest {
  private constructor(
    readonly devnet: Devnet,
    readonly database: TestDatabase,
    private readonly instances: ChatInstance[],
  ) {}

  /** @param database where it is not to be a fresh one of the test run's server */
  static async start(changes: ConfigChanges = {}, database?: TestDatabase): Promise<ChatUnderTest> {
    const chat = new ChatUnderTest(await Devnet.start(), database ?? (await freshDatabase()), []);
    await chat.addInstance(changes);
    return chat;
  }

  /** The first instance. */
  get instance(): ChatInstance {
    const [first] = this.instances;
    if (first === undefined) throw new Error('the chat has been stopped');
    return first;
  }

  /** Another instance on the same database, as a load balancer would have it. */
  async addInstance(changes: ConfigChanges = {}): Promise<ChatInstance> {
    const instance = await ChatInstance.start(this.configuration(changes));
    this.instances.push(instance);
    return instance;
  }

  async stop(): Promise<void> {
    for (const instance of this.instances.splice(0)) await instance.stop();
    await this.devnet.stop();
    await this.database.drop();
  }

  private configuration(changes: ConfigChanges): ChatConfig {
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: this.database.url,
      HIVE_API_NODES: this.devnet.urls.join(','),
      TOKEN_PRIVATE_KEY: tokenPrivateKey,
      CORS_ORIGINS: 'https://app.example',
    });
    return {
      ...config,
      database: { ...config.database, ...changes.database },
      hive: { ...config.hive, ...changes.hive },
      logLevel: 'trace',
      login: { ...config.login, ...changes.login },
      realtime: { ...config.realtime, ...changes.realtime },
      redisUrl: changes.redisUrl,
      tokens: { ...config.tokens, ...changes.tokens },
    };
  }
}

/** A migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('chat', migrate));
}

/** One process's worth of chat, and what a client does with it. */
export class ChatInstance {
  private constructor(
    private readonly chat: Chat,
    readonly url: string,
    /** Every line that the instance has logged. */
    readonly logLines: readonly string[],
  ) {}

  static async start(config: ChatConfig): Promise<ChatInstance> {
    const logLines: string[] = [];
    const logger = createLogger('chat', config.logLevel, { write: (line) => logLines.push(line) });
    const chat = await createChat(config, logger);
    await chat.app.listen({ host: config.http.host, port: config.http.port });
    return new ChatInstance(chat, await chat.app.getUrl(), logLines);
  }

  get websocketUrl(): string {
    return `${this.url.replace('http', 'ws')}/ws`;
  }

  stop(): Promise<void> {
    return this.chat.app.close();
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  /** The JSON of a GET that must succeed. */
  async getJson<T>(path: string, token: string): Promise<T> {
    const response = await this.get(path, { Authorization: `Bearer ${token}` });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async logIn(account: string): Promise<LoginSession> {
    const response = await this.get(loginPath(account));
    const text = await response.text();
    if (!response.ok) throw new Error(`log-in of ${account}: ${response.status} ${text}`);
    return JSON.parse(text) as LoginSession;
  }

  /** An authenticated WebSocket. */
  async connect(token: string): Promise<WebSocketClient> {
    const client = await WebSocketClient.connect(this.websocketUrl);
    client.send('authenticate', { token });
    const { payload } = await client.next('status');
    if (payload['authenticated'] !== true) throw new Error('not authenticated');
    return client;
  }

  /** Logs in and connects. */
  async join(account: string): Promise<{ session: LoginSession; socket: WebSocketClient }> {
    const session = await this.logIn(account);
    return { session, socket: await this.connect(session.ws_token) };
  }
}

let latestTs = 0;

/** A time of signing that no other log-in of this test file has used. */
export function freshTs(): number {
  latestTs = Math.max(latestTs + 1, Date.now());
  return latestTs;
}

export function sign(text: string, wif: string): string {
  return signDigest(createHash('sha256').update(text).digest(), wif);
}

export interface LoginOptions {
  ts?: string;
  /** The key that signs; the account's posting key by default. */
  wif?: string;
  /** The text that is signed, where it is not the right one. */
  text?: string;
}

/** Path and query of a log-in. */
export function loginPath(account: string, options: LoginOptions = {}): string {
  const { ts = String(freshTs()), wif = devnetKeys(account).posting.wif } = options;
  const sig = sign(options.text ?? account + ts, wif);
  return `/users/login?${new URLSearchParams({ username: account, ts, sig }).toString()}`;
}
