import { type PostgresServer, provideDatabase, startPostgres } from '@waggle/testing';
import { type ChatSurroundings, migrateChat, newTokenKey } from '../chat-stack/chat-instance';
import { startDevnet } from '../running/devnet';
import { type Running } from '../running/running';
import { Front } from './front';
import { Instance } from './instance';
import { type RedisNode, startRedisNodes } from './redis-node';

/** Whatever is acknowledged is durable, as in production. */
const postgresSettings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

const instanceCount = 3;

const database = 'chat';

/** The servers of a run. The chat reaches PostgreSQL and Redis through fronts, so that the network between can be cut. */
export class ChaosStack {
  private constructor(
    private readonly running: Running,
    readonly postgres: PostgresServer,
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
    const postgresFront = running.keep(await Front.to(() => [postgres.port]));
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
    return new ChaosStack(running, postgres, postgresFront, redis, instances, failures);
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
