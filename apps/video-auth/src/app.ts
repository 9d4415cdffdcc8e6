import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient, maxAccountsBytes } from '@waggle/chain';
import { toVideoAuthErrorBody, videoAuthRestErrors } from '@waggle/contracts';
import {
  createApplication,
  createLogger,
  createMetrics,
  handleInTurn,
  type Logger,
  Readiness,
  RequestLimitGuard,
  requireMigrated,
} from '@waggle/service';
import { awaitHiveNode, observeHiveClient } from '@waggle/service/chain';
import { describeApi } from '@waggle/service/api-description';
import { connectRedis, pingRedis } from '@waggle/service/redis';
import { secp256k1Backend } from '@waggle/signatures';
import { DataSource } from 'typeorm';
import { videoAuthDescription } from './api-description/video-auth-description';
import { AppModule } from './app.module';
import { type VideoAuthConfig } from './config';
import { createPlatform } from './platform.module';
import { findAccountOf } from './sessions/session.guard';
import { readJsonStrictly } from './strict-bodies';
import { TokenKeys } from './tokens/token-keys';

export interface VideoAuth {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** Creates the application: complete and connected, not yet listening. Closing it closes its connections. */
export async function createVideoAuth(
  config: VideoAuthConfig,
  logger = createLogger('video-auth', config.logLevel),
): Promise<VideoAuth> {
  const metrics = createMetrics();
  const tokenKeys = await TokenKeys.open(config.tokens.keys, logger);
  const hive = new HiveClient({
    urls: config.hive.nodes,
    maxResponseBytes: maxAccountsBytes,
    ...observeHiveClient(metrics, logger),
  });
  const redis = config.redis && { ...config.redis, commands: await connectRedis(config.redis.urls, logger) };
  logger.info(
    { signatures: secp256k1Backend },
    redis === undefined
      ? 'no REDIS_URL: used proofs, challenges and rate limits stay in this process, so run one instance'
      : 'used proofs, challenges and rate limits are shared with other instances over Redis',
  );

  const platform = createPlatform(config, { logger, metrics, hive, tokenKeys, redis });
  const hiveNode = awaitHiveNode(hive, logger);
  const readiness = new Readiness(
    [
      { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
      ...(redis === undefined ? [] : [{ name: 'redis', check: () => pingRedis(redis.commands) }]),
      hiveNode,
    ],
    // Other services verify tokens by the JWKS, which needs none of them. Without Redis, checks of tokens work too.
    { canServe: () => true },
  );
  const app: NestFastifyApplication = await createApplication(AppModule.forRoot(platform, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: videoAuthRestErrors,
    errorBody: toVideoAuthErrorBody,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
    namedClients: config.http.namedClients,
    responseLimits: platform.responseLimits,
    accountOf: findAccountOf,
  });
  readJsonStrictly(app);
  describeApi(app, videoAuthDescription());
  await requireMigrated(app.get(DataSource), 'video-auth');
  const { requests, checks } = platform.rateLimits;
  app.useGlobalGuards(new RequestLimitGuard(requests, { '/api/v1/auth/check': checks }));
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', async () => {
      hiveNode.stop();
      await hive.close();
      tokenKeys.close();
      redis?.commands.disconnect();
    });
  handleInTurn(app.getHttpServer());
  return { app, logger, readiness };
}
