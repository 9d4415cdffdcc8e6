import { HiveClient } from '@waggle/chain';
import { chatRestErrors } from '@waggle/contracts';
import { createLogger, createService, Platform, type Service } from '@waggle/service';
import { describeApi } from '@waggle/service/api-description';
import { chatDescription } from './api-description/chat-description';
import { AppModule } from './app.module';
import { clientFrameDefinitions } from './client-frames';
import { type ChatConfig } from './config';
import { FrameRouter } from './realtime/frame-router';
import { createSocketAdapter } from './realtime/socket-adapter';
import { findAccountOf } from './sessions/access.guard';
import { serveWebClient } from './web/web-client';

/** Creates the chat. */
export function createChat(config: ChatConfig, logger = createLogger('chat', config.logLevel)): Promise<Service> {
  const platform = new Platform('chat', config.http, logger, {
    // Only the database is required. Without Redis or Hive nodes some requests fail (log-ins; new conversations; later,
    // renewals), but open chats go on.
    canServe: ({ database }) => database === 'up',
  });
  return createService(AppModule.forRoot(config, platform), platform, {
    restErrors: chatRestErrors,
    corsOrigins: [...config.http.corsOrigins, ...config.cookies.bearerOrigins],
    requestLimit: config.rateLimits,
    accountOf: findAccountOf,
    sometimesUnsafeGets: [
      '/users/verify', // Renews an expired token.
      '/messages/chats', // Makes the caller follow the channel that it reads.
      '/messages/conversation', // As above.
    ],
    unsafeGets: ['/users/login', '/users/refresh-token', '/refresh-token', '/users/logout'],
    home: config.webClient === undefined ? '/docs' : '/app/',
    mount: (app) => {
      app.get(FrameRouter).register(clientFrameDefinitions, (token) => app.get(token));
      describeApi(app, chatDescription(clientFrameDefinitions, config.limits));
      if (config.webClient !== undefined)
        serveWebClient(app.getHttpAdapter().getInstance(), config.webClient, app.get(HiveClient), logger);
      app.useWebSocketAdapter(createSocketAdapter(app, config, platform));
    },
  });
}
