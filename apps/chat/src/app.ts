import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountAuthorities, AccountSignatures, HiveClient } from '@waggle/chain';
import { chatRestErrors } from '@waggle/contracts';
import {
  connectRedis,
  createApplication,
  createLogger,
  createMetrics,
  describeApi,
  Readiness,
  SingleUseInMemory,
  SingleUseInRedis,
  type Logger,
} from '@waggle/service';
import { secp256k1Backend } from '@waggle/signatures';
import { DataSource } from 'typeorm';
import { chatDescription } from './api-description/chat-description';
import { AppModule } from './app.module';
import { type ChatConfig } from './config';
import { requireMigrated } from './database';
import { countHiveCalls } from './hive';
import { type Platform } from './platform.module';
import { ConnectionLimit } from './rate-limits/connection-limit';
import { RateLimits } from './rate-limits/rate-limits';
import { RequestLimitGuard } from './rate-limits/request-limit.guard';
import { ChatSocketAdapter } from './realtime/chat-socket.adapter';

export interface Chat {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** Every key of the chat in a Redis that others use too begins so. */
const redisPrefix = 'waggle:chat:';

/** What the features stand on. Nothing is connected here; without Redis everything is remembered in this process. */
export function createPlatform(config: ChatConfig, logger: Logger, hive: HiveClient, redis?: Redis): Platform {
  const authorities = new AccountAuthorities(hive, { ttlMs: config.hive.authorityCacheMs });
  return {
    config,
    logger,
    hive,
    rateLimits: new RateLimits(config.rateLimits, redis && { redis, prefix: `${redisPrefix}limit:` }),
    authorities,
    signatures: new AccountSignatures(authorities, { trustedAccounts: config.hive.trustedAccounts }),
    usedProofs: redis === undefined ? new SingleUseInMemory() : new SingleUseInRedis(redis, `${redisPrefix}proof:`),
  };
}

type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** The chat, complete and connected, not yet listening. Closing the application closes what was opened here. */
export async function createChat(config: ChatConfig, logger = createLogger('chat', config.logLevel)): Promise<Chat> {
  const metrics = createMetrics();
  const hive = new HiveClient({ urls: config.hive.nodes, onOutcome: countHiveCalls(metrics) });
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, logger);
  logger.info(
    { signatures: secp256k1Backend },
    redis === undefined
      ? 'no REDIS_URL: used proofs and rate limits are remembered in this process, so run one instance'
      : 'used proofs and rate limits are shared over Redis; events reach the connections of this instance alone',
  );

  const platform = createPlatform(config, logger, hive, redis);
  const { rateLimits } = platform;
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
  describeApi(app, chatDescription(config.limits));
  await requireMigrated(app.get(DataSource));
  app.useGlobalGuards(new RequestLimitGuard(rateLimits));
  const connectionLimit = new ConnectionLimit(rateLimits, config.http.trustedProxies);
  app.useWebSocketAdapter(
    new ChatSocketAdapter(app, app.getHttpServer(), connectionLimit, config.limits.frameBytes, logger),
  );
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', async () => {
      await hive.close();
      redis?.disconnect();
    });
  return { app, logger, readiness };
}
