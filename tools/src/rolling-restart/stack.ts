import { type PostgresServer, provideDatabase, startPostgres, startRedis } from '@waggle/testing';
import { type ChatSurroundings, migrateChat, newTokenKey, startChat } from '../chat-stack/chat-instance';
import { startDevnet } from '../running/devnet';
import { OwnProcess } from '../running/own-process';
import { type Running } from '../running/running';
import { migrateService, startService } from '../running/service-process';
import { Replicas } from './replicas';

/** The service ends within 30 s of SIGTERM. */
const stopTimeoutMs = 35_000;

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

/** Three instances of the chat, two of the other two services with an indexer each, and what they need. */
export async function startStack(running: Running, accounts: readonly string[]): Promise<Stack> {
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
  await migrateChat(running, chatDatabaseUrl);
  await migrateService(running, 'delegation', delegationUrl);
  await migrateService(running, 'rpc-gateway', gatewayUrl);
  const shared = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', HIVE_API_NODES: devnet.url };
  await startIndexer(running, 'delegation', { ...shared, DATABASE_URL: delegationUrl, START_FROM: 'first-block' });
  await startIndexer(running, 'rpc-gateway', { ...shared, DATABASE_URL: gatewayUrl });

  const surroundings: ChatSurroundings = {
    databaseUrl: chatDatabaseUrl,
    redisUrl: redis.url,
    devnetUrl: devnet.url,
    tokenPrivateKey: newTokenKey(),
  };
  const chat = await Replicas.start(running, 'chat', 3, () => startChat(running, surroundings, { stopTimeoutMs }));
  const delegation = await Replicas.start(running, 'delegation', 2, () =>
    startService(running, 'delegation', () => ({ DATABASE_URL: delegationUrl, REQUESTS_PER_MINUTE: unlimited }), {
      stopTimeoutMs,
    }),
  );
  const gateway = await Replicas.start(running, 'rpc-gateway', 2, () =>
    startService(
      running,
      'rpc-gateway',
      () => ({
        DATABASE_URL: gatewayUrl,
        REDIS_URL: redis.url,
        HIVE_API_NODES: devnet.url,
        CALLS_PER_MINUTE: unlimited,
      }),
      { stopTimeoutMs },
    ),
  );
  return { postgres, chatDatabaseUrl, chat, delegation, gateway };
}

async function startIndexer(running: Running, app: string, environment: Record<string, string>): Promise<void> {
  const script = `apps/${app}/dist/indexer.main.js`;
  await OwnProcess.start(running, { name: `indexer of ${app}`, script, environment, stopTimeoutMs });
}
