import { type DynamicModule } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { requireMigrated } from '../database/migrations';
import { createApplication, type ServiceOptions } from '../http/application';
import { RateLimiter } from '../limits/rate-limiter';
import { RequestLimitGuard } from '../limits/request-limit.guard';
import { type Logger } from '../observability/logging';
import { type Readiness } from '../observability/readiness';
import { handleInTurn } from '../responses/handle-in-turn';
import { type Platform } from './platform';

/** A process of a service: complete and connected, not yet listening. Closing the application closes all it opened. */
export interface Service {
  readonly app: NestFastifyApplication;
  readonly logger: Logger;
  readonly readiness: Readiness;
}

/** Requests of a client in each period. */
export interface RequestLimit {
  readonly periodSeconds: number;
  readonly requests: number;
}

type FromPlatform = 'logger' | 'metrics' | 'corsOrigins' | 'trustedProxies' | 'namedClients' | 'responseLimits';

export interface CreateServiceOptions
  extends Omit<ServiceOptions, FromPlatform>, Partial<Pick<ServiceOptions, 'corsOrigins'>> {
  /** Counted per instance, because a query to Redis for every request would cost too much. Unlimited by default. */
  readonly requestLimit?: RequestLimit;
  /** Routes, by their pattern, with a limiter of their own: their requests do not count for `requestLimit`. */
  readonly ownRequestLimits?: Readonly<Record<string, RateLimiter>>;
  /** The path of the page that `GET /` redirects to. By default there is no redirect. */
  readonly home?: string | undefined;
  /** Completes the application: routes outside of Nest, WebSockets, body parsers. */
  readonly mount?: (app: NestFastifyApplication) => void;
}

/** Creates a process of a service from its root module, which imports `PlatformModule`. */
export async function createService(
  module: DynamicModule,
  platform: Platform,
  { requestLimit, ownRequestLimits, home, mount, ...options }: CreateServiceOptions,
): Promise<Service> {
  const { service, http, logger, metrics, readiness, responseLimits } = platform;
  const { corsOrigins, trustedProxies, namedClients } = http;
  let app: NestFastifyApplication | undefined;
  try {
    app = await createApplication(module, {
      logger,
      metrics,
      corsOrigins,
      trustedProxies,
      namedClients,
      ...(responseLimits !== undefined && { responseLimits }),
      ...options,
    });
    const fastify = app.getHttpAdapter().getInstance();
    fastify.addHook('onClose', () => platform.close());
    await requireMigrated(app.get(DataSource), service);
    if (requestLimit !== undefined)
      app.useGlobalGuards(new RequestLimitGuard(requestLimiter(requestLimit), ownRequestLimits));
    mount?.(app);
    if (home !== undefined) fastify.get('/', (_request, reply) => reply.redirect(home));
    handleInTurn(app.getHttpServer());
    return { app, logger, readiness };
  } catch (error) {
    await app?.close();
    await platform.close();
    throw error;
  }
}

function requestLimiter({ periodSeconds, requests: max }: RequestLimit): RateLimiter {
  return new RateLimiter({ name: 'requests-per-minute', what: 'requests from this address', max, periodSeconds });
}
