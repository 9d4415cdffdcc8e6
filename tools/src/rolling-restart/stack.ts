import { type PostgresServer, provideDatabase, startPostgres, startRedis } from '@waggle/testing';
import { type ChatSurroundings, migrateChat, newTokenKey, startChat } from '../chat-stack/chat-instance';
import { startDevnet } from '../running/devnet';
import { OwnProcess } from '../running/own-process';
import { type Running } from '../running/running';
import { migrateService, startService } from '../running/service-process';
import { Replicas } from './replicas';

/** A service ends within 35 s of SIGTERM, and what it serves on before. */
const stopTimeoutMs = 45_000;

/** Nobody is sent away for asking much from one address. */
const unlimited = '1000000000';

export interface Stack {
  postgres: PostgresServer;
  /** Of the chat, the administrator's. */
  chatDatabaseUrl: string;
  chat: Replicas;
  delegation: Replicas;
  gateway: Replicas;
}

/** How many instances there are of the chat, and of each of the other services. */
export interface Counts {
  chat: number;
  others: number;
  /** How long an instance serves on after SIGTERM. */
  drainDelaySeconds: number;
}

/** Instances of the services, an indexer of each that has one, and what they need. */
export async function startStack(running: Running, accounts: readonly string[], counts: Counts): Promise<Stack> {
  const postgres = running.keep(await startPostgres({ dataDir: 'temporary' }));
  const redis = running.keep(await startRedis());
  const devnet = running.keep(await startDevnet(accounts));
  running.signal.throwIfAborted();
  devnet.delegate('alice', 'bob', '3000.000000 VESTS');
  devnet.customJson('bob', 'follow', ['follow', { follower: 'bob', following: 'alice', what: ['blog'] }]);
  devnet.makeIrreversible();
  const [chatDatabaseUrl, delegationUrl, gatewayUrl] = [
    await provideDatabase(postgres, 'chat'),
    await provideDatabase(postgres, 'delegation'),
    await provideDatabase(postgres, 'rpc-gateway'),
  ];
  await Promise.all([
    migrateChat(running, chatDatabaseUrl),
    migrateService(running, 'delegation', delegationUrl),
    migrateService(running, 'rpc-gateway', gatewayUrl),
  ]);
  const shared = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', HIVE_API_NODES: devnet.url };
  await startIndexer(running, 'delegation', { ...shared, DATABASE_URL: delegationUrl, START_FROM: 'first-block' });
  await startIndexer(running, 'rpc-gateway', { ...shared, DATABASE_URL: gatewayUrl });

  const surroundings: ChatSurroundings = {
    databaseUrl: chatDatabaseUrl,
    redisUrl: redis.url,
    devnetUrl: devnet.url,
    tokenPrivateKey: newTokenKey(),
  };
  const ending = { stopTimeoutMs, drainDelaySeconds: counts.drainDelaySeconds };
  const [chat, delegation, gateway] = await Promise.all([
    Replicas.start(running, 'chat', counts.chat, () => startChat(running, surroundings, ending)),
    Replicas.start(running, 'delegation', counts.others, () =>
      startService(
        running,
        'delegation',
        () => ({ DATABASE_URL: delegationUrl, REQUESTS_PER_MINUTE: unlimited }),
        ending,
      ),
    ),
    Replicas.start(running, 'rpc-gateway', counts.others, () =>
      startService(
        running,
        'rpc-gateway',
        () => ({
          DATABASE_URL: gatewayUrl,
          REDIS_URL: redis.url,
          HIVE_API_NODES: devnet.url,
          CALLS_PER_MINUTE: unlimited,
        }),
        ending,
      ),
    ),
  ]);
  return { postgres, chatDatabaseUrl, chat, delegation, gateway };
}

async function startIndexer(running: Running, app: string, environment: Record<string, string>): Promise<void> {
  const script = `apps/${app}/dist/indexer.main.js`;
  await OwnProcess.start(running, { name: `indexer of ${app}`, script, environment, stopTimeoutMs });
}
