import { type IncomingMessage } from 'node:http';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient, maxAccountsBytes } from '@waggle/chain';
import { chatRestErrors } from '@waggle/contracts';
import {
  clientFinder,
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
import { chatDescription } from './api-description/chat-description';
import { AppModule } from './app.module';
import { type ChatConfig } from './config';
import { clientFrameDefinitions } from './client-frames';
import { createPlatform } from './platform.module';
import { ChatSocketAdapter } from './realtime/chat-socket.adapter';
import { FrameRouter } from './realtime/frame-router';
import { findAccountOf } from './sessions/access.guard';
import { RedisBus } from './delivery/redis-bus';
import { RedisMasters } from './delivery/redis-masters';
import { serveWebClient } from './web/web-client';

export interface Chat {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

async function connectShared({ urls, prefix }: NonNullable<ChatConfig['redis']>, logger: Logger) {
  const commands = await connectRedis(urls, logger);
  const bus = new RedisBus(new RedisMasters(commands, urls), `${prefix}stream:`, logger);
  return { prefix, commands, bus };
}

/** The chat, complete and connected, not yet listening. Closing the application closes what was opened here. */
export async function createChat(config: ChatConfig, logger = createLogger('chat', config.logLevel)): Promise<Chat> {
  const metrics = createMetrics();
  const hive = new HiveClient({
    urls: config.hive.nodes,
    maxResponseBytes: maxAccountsBytes,
    ...observeHiveClient(metrics, logger),
  });
  const redis = config.redis === undefined ? undefined : await connectShared(config.redis, logger);
  logger.info(
    { signatures: secp256k1Backend },
    redis === undefined
      ? 'no REDIS_URL: used proofs, rate limits and events stay in this process, so run one instance'
      : 'used proofs, rate limits and events are shared with other instances over Redis',
  );

  const platform = createPlatform(config, { logger, metrics, hive, redis });
  const { addressLimits } = platform;
  const hiveNode = awaitHiveNode(hive, logger);
  const readiness = new Readiness(
    [
      { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
      ...(redis === undefined ? [] : [{ name: 'redis', check: () => pingRedis(redis.commands) }]),
      hiveNode,
    ],
    // Without Redis, log-ins fail. Without a Hive node, so do checks of whether accounts exist and, later, renewals of
    // sessions.
    { canServe: ({ database }) => database === 'up' },
  );
  const app: NestFastifyApplication = await createApplication(AppModule.forRoot(platform, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: chatRestErrors,
    corsOrigins: [...config.http.corsOrigins, ...config.cookies.bearerOrigins],
    trustedProxies: config.http.trustedProxies,
    namedClients: config.http.namedClients,
    responseLimits: platform.responseLimits,
    accountOf: findAccountOf,
    // The first renews an expired token, the others may follow a channel.
    getsWithOccasionalEffects: ['/users/verify', '/messages/chats', '/messages/conversation'],
    getsWithEffects: ['/users/login', '/users/refresh-token', '/refresh-token', '/users/logout'],
  });
  app.get(FrameRouter).register(clientFrameDefinitions, (token) => app.get(token));
  describeApi(app, chatDescription(clientFrameDefinitions, config.limits));
  if (config.webClient !== undefined)
    serveWebClient(app.getHttpAdapter().getInstance(), config.webClient, hive, logger);
  await requireMigrated(app.get(DataSource), 'chat');
  app.useGlobalGuards(new RequestLimitGuard(addressLimits.requests));
  const clientOf = clientFinder(config.http);
  const limitConnections = (upgrade: IncomingMessage) => addressLimits.connections.consume(clientOf(upgrade));
  app.useWebSocketAdapter(
    new ChatSocketAdapter(app, app.getHttpServer(), limitConnections, config.limits.frameBytes, logger),
  );
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', async () => {
      hiveNode.stop();
      await hive.close();
      await redis?.bus.close();
      redis?.commands.disconnect();
    });
  handleInTurn(app.getHttpServer());
  return { app, logger, readiness };
}
