import { type IncomingMessage } from 'node:http';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { clientFinder, type Platform } from '@waggle/service';
import { SHARED_REDIS, sharedLimiter, type SharedRedis } from '@waggle/service/login';
import { ChatSocketAdapter } from './chat-socket.adapter';

/** The settings that the WebSocket needs. */
interface SocketSettings {
  readonly http: Parameters<typeof clientFinder>[0];
  readonly limits: { readonly frameBytes: number };
  readonly rateLimits: { readonly periodSeconds: number; readonly connections: number };
}

/** Creates the adapter of the WebSocket, which limits the new connections of each address. */
export function createSocketAdapter(
  app: NestFastifyApplication,
  { http, limits, rateLimits: { periodSeconds, connections: max } }: SocketSettings,
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
