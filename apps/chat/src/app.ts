import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountAuthorities, AccountSignatures, HiveClient } from '@waggle/chain';
import { chatRestErrors } from '@waggle/contracts';
import {
  connectRedis,
  createApplication,
  createLogger,
  createMetrics,
  Readiness,
  SingleUseInMemory,
  SingleUseInRedis,
  type Logger,
} from '@waggle/service';
import { secp256k1Backend } from '@waggle/signatures';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { type ChatConfig } from './config';
import { requireMigrated } from './database';
import { countHiveCalls } from './hive';
import { ChatSocketAdapter } from './realtime/chat-socket.adapter';

export interface Chat {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** Every key of the chat in a Redis that others use too begins so. */
const redisPrefix = 'waggle:chat:';

/** The chat, complete and connected, not yet listening. Closing the application closes what was opened here. */
export async function createChat(config: ChatConfig, logger = createLogger('chat', config.logLevel)): Promise<Chat> {
  const metrics = createMetrics();
  const hive = new HiveClient({ urls: config.hive.nodes, onOutcome: countHiveCalls(metrics) });
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, logger);
  logger.info(
    { signatures: secp256k1Backend },
    redis === undefined
      ? 'no REDIS_URL: used proofs are remembered in this process, so run one instance'
      : 'used proofs are shared over Redis; events reach the connections of this instance alone',
  );

  const authorities = new AccountAuthorities(hive, { ttlMs: config.hive.authorityCacheMs });
  const platform = {
    config,
    logger,
    hive,
    authorities,
    signatures: new AccountSignatures(authorities, { trustedAccounts: config.hive.trustedAccounts }),
    usedProofs: redis === undefined ? new SingleUseInMemory() : new SingleUseInRedis(redis, `${redisPrefix}proof:`),
  };
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
    ...(redis === undefined ? [] : [{ name: 'redis', check: () => redis.ping() }]),
  ]);
  const app: NestFastifyApplication = await createApplication(AppModule.forRoot(platform, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: chatRestErrors,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  await requireMigrated(app.get(DataSource));
  app.useWebSocketAdapter(new ChatSocketAdapter(app, app.getHttpServer(), config.limits.frameBytes));
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', async () => {
      await hive.close();
      redis?.disconnect();
    });
  return { app, logger, readiness };
}
