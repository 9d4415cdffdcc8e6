import { type ChatSurroundings, migrateChat, newTokenKey, type Running, startDevnet } from '@waggle/running';
import { Front, type PostgresServer, provideDatabase, type StandbyServer, startPostgres } from '@waggle/testing';
import { Instance } from './instance';
import { type LostMessage } from './observation';
import { type RedisNode, startRedisNodes } from './redis-node';
import { readConversationIds, readLost } from './stored';

/** Whatever is acknowledged is durable, as in production. */
const postgresSettings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

const instanceCount = 3;

const database = 'chat';

/** The servers of a run. The chat reaches PostgreSQL and Redis through fronts, so that the network between can be cut. */
export class ChaosStack {
  /** What was committed, and is not on the server that has taken over. */
  readonly lost: LostMessage[] = [];

  private constructor(
    private readonly running: Running,
    private primary: PostgresServer,
    /** Between the chat and PostgreSQL. */
    readonly postgresFront: Front,
    /** One, or the masters of a cluster. */
    readonly redis: readonly RedisNode[],
    readonly instances: readonly Instance[],
    /** What went wrong with an instance that was not done to it. */
    readonly failures: readonly string[],
  ) {}

  /**
   * @param accounts who may log in
   * @param isRedisCluster in place of a single Redis
   */
  static async start(running: Running, accounts: readonly string[], isRedisCluster: boolean): Promise<ChaosStack> {
    const postgres = running.keep(await startPostgres({ dataDir: 'temporary', settings: postgresSettings }));
    running.signal.throwIfAborted();
    const redis = await startRedisNodes(running, isRedisCluster);
    running.signal.throwIfAborted();
    const devnet = running.keep(await startDevnet(accounts));
    const stack: { started?: ChaosStack } = {};
    const postgresFront = running.keep(await Front.to(() => [(stack.started?.postgres ?? postgres).port]));
    const databaseUrl = await provideDatabase(postgres, database);
    await migrateChat(running, databaseUrl);
    const surroundings: ChatSurroundings = {
      databaseUrl: withPort(databaseUrl, postgresFront.port),
      redisUrl: redis.map(({ server, front }) => withPort(server.url, front.port)).join(','),
      devnetUrl: devnet.url,
      tokenPrivateKey: newTokenKey(),
    };
    const failures: string[] = [];
    const instances = Array.from({ length: instanceCount }, (_, index) => {
      const onFailure = (what: string) => failures.push(what);
      return new Instance(`chat-${index + 1}`, running, surroundings, onFailure);
    });
    await Promise.all(instances.map((instance) => instance.start()));
    stack.started = new ChaosStack(running, postgres, postgresFront, redis, instances, failures);
    return stack.started;
  }

  /** The server that has the data now. */
  get postgres(): PostgresServer {
    return this.primary;
  }

  /** Ends a standby with the run. */
  keep(standby: StandbyServer): StandbyServer {
    return this.running.keep(standby);
  }

  /**
   * Leads the chat to a standby that was promoted. The former primary, which was killed, is started once more where nobody
   * reaches it, to see which messages it has that the other lacks.
   *
   * @returns the conversations that are there
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

  /** The administrator's, past the front. */
  get databaseUrl(): string {
    return this.postgres.url(database);
  }

  /** A way to the instances for one client, each of whose connections goes to the next one that lives. */
  async front(turn: number): Promise<Front> {
    return this.running.keep(
      await Front.to(() => this.instances.flatMap(({ port }) => (port === undefined ? [] : [port])), turn),
    );
  }
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
