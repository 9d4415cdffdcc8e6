import { type IncomingMessage } from 'node:http';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient } from '@waggle/chain';
import { chatRestErrors } from '@waggle/contracts';
import { clientFinder, createLogger, createService, Platform, type Service } from '@waggle/service';
import { describeApi } from '@waggle/service/api-description';
import { SHARED_REDIS, sharedLimiter, type SharedRedis } from '@waggle/service/login';
import { chatDescription } from './api-description/chat-description';
import { AppModule } from './app.module';
import { clientFrameDefinitions } from './client-frames';
import { type ChatConfig } from './config';
import { ChatSocketAdapter } from './realtime/chat-socket.adapter';
import { FrameRouter } from './realtime/frame-router';
import { findAccountOf } from './sessions/access.guard';
import { serveWebClient } from './web/web-client';

/** Creates the chat. */
export function createChat(config: ChatConfig, logger = createLogger('chat', config.logLevel)): Promise<Service> {
  const platform = new Platform('chat', config.http, logger, {
    // Without Redis, log-ins fail. Without a Hive node, so do checks of whether accounts exist and, later, renewals of
    // sessions.
    canServe: ({ database }) => database === 'up',
  });
  return createService(AppModule.forRoot(config, platform), platform, {
    restErrors: chatRestErrors,
    corsOrigins: [...config.http.corsOrigins, ...config.cookies.bearerOrigins],
    requestLimit: config.rateLimits,
    accountOf: findAccountOf,
    // The first renews an expired token, the others may follow a channel.
    getsWithOccasionalEffects: ['/users/verify', '/messages/chats', '/messages/conversation'],
    getsWithEffects: ['/users/login', '/users/refresh-token', '/refresh-token', '/users/logout'],
    home: config.webClient === undefined ? '/docs' : '/app/',
    mount: (app) => {
      app.get(FrameRouter).register(clientFrameDefinitions, (token) => app.get(token));
      describeApi(app, chatDescription(clientFrameDefinitions, config.limits));
      if (config.webClient !== undefined)
        serveWebClient(app.getHttpAdapter().getInstance(), config.webClient, app.get(HiveClient), logger);
      app.useWebSocketAdapter(socketAdapterOf(app, config, platform));
    },
  });
}

function socketAdapterOf(
  app: NestFastifyApplication,
  { http, limits, rateLimits: { periodSeconds, connections: max } }: ChatConfig,
  { logger }: Platform,
): ChatSocketAdapter {
  const limiter = sharedLimiter(app.get<SharedRedis | undefined>(SHARED_REDIS), 'connection', {
    name: 'connections-per-minute',
    what: 'new connections from this address',
    max,
    periodSeconds,
  });
  const clientOf = clientFinder(http);
  const limitConnections = (upgrade: IncomingMessage) => limiter.consume(clientOf(upgrade));
  return new ChatSocketAdapter(app, app.getHttpServer(), limitConnections, limits.frameBytes, logger);
}
