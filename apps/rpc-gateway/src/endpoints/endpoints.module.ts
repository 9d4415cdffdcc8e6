import { type DynamicModule, Module } from '@nestjs/common';
import { clientFinder, Platform, ResponseLimits } from '@waggle/service';
import { LocalCalls } from '../local/local-calls';
import { type RouteSettings } from '../routes/read-route-file';
import { RouteTable } from '../routes/route-table';
import { Upstream } from '../upstream/upstream';
import { CallMetrics } from './call-metrics';
import { CallRateLimiter } from './call-rate-limiter';
import { CallsInFlight } from './calls-in-flight';
import { Dispatcher } from './dispatcher';
import { createEndpoints } from './endpoints';
import { createPathEndpoints } from './path-endpoints';
import { type EndpointOptions } from './request-listener';
import { LongBodies } from './long-bodies';

export interface EndpointsSettings {
  readonly routes: Pick<RouteSettings, 'routes' | 'paths'>;
  /** For each address: calls in a period and calls in flight. Each call of a batch counts. */
  readonly rateLimits: { readonly periodSeconds: number; readonly calls: number; readonly inFlight: number };
  /** Maximum size of all responses to one request together. */
  readonly maxResponseBytes: number;
}

/** Injects the `Endpoints`. */
export const ENDPOINTS = Symbol('Endpoints');

/** Injects the `FindPathListener`. */
export const PATH_ENDPOINTS = Symbol('FindPathListener');

const OPTIONS = Symbol('EndpointOptions');

/** The JSON-RPC endpoints and the forwarded paths, which `mountEndpoints` adds to the server. */
@Module({})
export class EndpointsModule {
  static forRoot({ routes, rateLimits, maxResponseBytes }: EndpointsSettings): DynamicModule {
    return {
      module: EndpointsModule,
      providers: [
        { provide: CallMetrics, inject: [Platform], useFactory: ({ metrics }: Platform) => new CallMetrics(metrics) },
        {
          provide: OPTIONS,
          inject: [LocalCalls, Upstream, CallMetrics, ResponseLimits, Platform],
          useFactory: (
            localCalls: LocalCalls,
            upstream: Upstream,
            metrics: CallMetrics,
            responseLimits: ResponseLimits,
            { logger, http }: Platform,
          ): EndpointOptions => ({
            dispatcher: new Dispatcher(new RouteTable(routes.routes), localCalls, upstream, metrics, logger),
            rateLimiter: new CallRateLimiter(rateLimits.calls, rateLimits.periodSeconds),
            inFlight: new CallsInFlight(rateLimits.inFlight),
            longBodies: new LongBodies(),
            maxResponseBytes,
            responseLimits,
            logger,
            corsOrigins: http.corsOrigins,
            clientOf: clientFinder(http),
          }),
        },
        { provide: ENDPOINTS, inject: [OPTIONS], useFactory: createEndpoints },
        {
          provide: PATH_ENDPOINTS,
          inject: [OPTIONS],
          useFactory: (options: EndpointOptions) => createPathEndpoints(options, routes.paths),
        },
      ],
    };
  }
}
