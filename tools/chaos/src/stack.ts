import { type SharedChatSettings, migrateService, newTokenKey, type Running, startDevnet } from '@waggle/running';
import { TcpProxy, type PostgresServer, provideDatabase, type StandbyServer, startPostgres } from '@waggle/testing';
import { Instance } from './instance';
import { type LostMessage, type Observation } from './observation';
import { type RedisNode, startRedisNodes } from './redis-node';
import { readConversationIds, readLost } from './stored';

/** Durable, as in production. */
const postgresSettings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

const database = 'chat';

export interface ChaosStackOptions {
  /** Of the devnet. */
  accounts: readonly string[];
  instanceCount: number;
  isRedisCluster: boolean;
}

/** The servers of a run. TCP proxies in front of PostgreSQL and Redis can cut the connections of the instances. */
export class ChaosStack {
  /** Messages that failovers lost. */
  readonly lost: LostMessage[] = [];
  /** See `Observation.lossPeriods`. */
  readonly lossPeriods: Observation['lossPeriods'] = [];

  private constructor(
    private readonly running: Running,
    private primary: PostgresServer,
    readonly postgresProxy: TcpProxy,
    readonly redis: readonly RedisNode[],
    readonly instances: readonly Instance[],
    /** Unexpected exits of instances: those that no fault caused. */
    readonly failures: readonly string[],
  ) {}

  static async start(
    running: Running,
    { accounts, instanceCount, isRedisCluster }: ChaosStackOptions,
  ): Promise<ChaosStack> {
    const postgres = running.use(await startPostgres({ dataDir: 'temporary', settings: postgresSettings }));
    running.signal.throwIfAborted();
    const redis = await startRedisNodes(running, isRedisCluster);
    running.signal.throwIfAborted();
    const devnet = running.use(await startDevnet(accounts));
    const stack: { started?: ChaosStack } = {};
    // The proxy asks for the current primary at each connection; until the stack is started, that is `postgres`.
    const postgresProxy = running.use(await TcpProxy.to(() => [(stack.started?.postgres ?? postgres).port]));
    const directUrl = await provideDatabase(postgres, database);
    await migrateService(running, database, directUrl);
    const settings: SharedChatSettings = {
      databaseUrl: withPort(directUrl, postgresProxy.port),
      redisUrl: redis.map(({ server, proxy }) => withPort(server.url, proxy.port)).join(','),
      devnetUrl: devnet.url,
      tokenPrivateKey: newTokenKey(),
    };
    const failures: string[] = [];
    const instances = Array.from({ length: instanceCount }, (_, index) => {
      const onFailure = (failure: string) => failures.push(failure);
      return new Instance(`chat-${index + 1}`, running, settings, onFailure);
    });
    await Promise.all(instances.map((instance) => instance.start()));
    stack.started = new ChaosStack(running, postgres, postgresProxy, redis, instances, failures);
    return stack.started;
  }

  /** The current primary. */
  get postgres(): PostgresServer {
    return this.primary;
  }

  /** Registers a standby, to be stopped at the end of the run. */
  registerStandby(standby: StandbyServer): StandbyServer {
    return this.running.use(standby);
  }

  /**
   * Makes the promoted standby the primary: the proxy connects to it from now on. Then starts the killed primary again
   * to find the lost messages; no instance connects to it.
   *
   * @returns the ids of the conversations that survived
   */
  async replacePostgres(promoted: StandbyServer): Promise<ReadonlySet<string>> {
    const former = this.primary;
    const ids = await readConversationIds(promoted.url(database));
    this.primary = promoted;
    const replacedAtMs = performance.now();
    await former.start();
    this.lost.push(...(await readLost(former.url(database), promoted.url(database), replacedAtMs)));
    await this.running.end(former);
    return ids;
  }

  /** Bypasses the proxy. */
  get directDatabaseUrl(): string {
    return this.postgres.url(database);
  }

  /**
   * Starts a proxy for one client. Each new connection goes to the next running instance.
   *
   * @param firstInstance index of the instance for the first connection
   */
  async startProxy(firstInstance: number): Promise<TcpProxy> {
    return this.running.use(
      await TcpProxy.to(() => this.instances.flatMap(({ port }) => (port === undefined ? [] : [port])), firstInstance),
    );
  }
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
