import fastifyCookie from '@fastify/cookie';
import { StandardSchemaValidationPipe, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';
import { AllowedMethods, type RoutePattern } from './allowed-methods';
import { clientFinder, type Client } from '../limits/client';
import { type NamedClient } from '../limits/client-settings';
import { anyOrigin } from '../variables';
import { writeCommonHeaders } from './common-headers';
import { invalidRequest } from './invalid-request';
import { requestId, withoutRepeatedSlashes } from './read-request';
import { joinBodyChunks } from './join-body-chunks';
import { FrameworkLogger, type Logger } from '../observability/logging';
import { observeRequests } from '../observability/metrics';
import { compressResponses } from '../responses/compress-responses';
import { limitMemoryAndRate, type AccountOf } from '../responses/response-limit-hooks';
import { type ResponseLimits } from '../responses/response-limits';
import { type ErrorBody } from '../errors/rest-error-body';
import { RestErrorsFilter } from './rest-errors.filter';
import { rejectUnparsable, rejectUrl } from './unreadable-requests';
import { protectUnsafeGets } from './unsafe-gets';
import { tracing } from '../tracing/tracing';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client that the limits of the request count. */
    client: Client;
  }
}

export interface ServiceOptions {
  logger: Logger;
  metrics: Registry;
  /** HTTP status of each `ServiceError` code that the service throws. */
  restErrors: Readonly<Record<string, number>>;
  /** Creates the body of each REST error; by default the common one. */
  errorBody?: ErrorBody;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  /** Clients with their own limits; none by default. */
  namedClients?: readonly NamedClient[];
  /** Largest request body, in bytes; 64 KiB by default. */
  bodyLimitBytes?: number;
  /**
   * Limits the memory of responses and request bodies. Unlimited by default, for processes that serve only health and
   * metrics.
   */
  responseLimits?: ResponseLimits;
  /** Compresses responses for clients that accept it. Only for services whose responses are all public. */
  compressesResponses?: boolean;
  /** Returns the account that a request was authenticated as. Responses count against it, and against the address. */
  accountOf?: AccountOf;
  /**
   * GET routes, exactly as registered, that change something, such as a log-in, or open a stream. HEAD is rejected with
   * 405, and a prefetch with 503. The application does not start if there is no such route.
   */
  unsafeGets?: readonly string[];
  /**
   * GET routes, exactly as registered, that sometimes change something, such as a renewal of tokens. A prefetch is
   * rejected with 503. The application does not start if there is no such route.
   */
  sometimesUnsafeGets?: readonly string[];
  /** Routes that are served outside of the Nest application, on the same server. */
  mountedRoutes?: readonly RoutePattern[];
  /** Largest URL and headers of a request, in bytes together; 16 KiB by default, as in Node. */
  maxHeaderBytes?: number;
  /**
   * Maximum time that a client may take to send a complete request, so that slow clients do not hold connections
   * forever; 30 s by default.
   */
  requestTimeoutMs?: number;
}

/**
 * Interval at which Node checks for requests over their time, in milliseconds: a request may exceed the limit by this
 * much.
 */
const timeoutCheckIntervalMs = 5_000;

/** The options with their defaults. */
type Settings = ServiceOptions & Required<Pick<ServiceOptions, keyof typeof defaults>>;

const defaults = {
  errorBody: ((body) => body) as ErrorBody,
  namedClients: [],
  bodyLimitBytes: 64 * 1024,
  accountOf: (() => undefined) as AccountOf,
  compressesResponses: false,
  unsafeGets: [],
  sometimesUnsafeGets: [],
  mountedRoutes: [],
  maxHeaderBytes: 16 * 1024,
  requestTimeoutMs: 30_000,
};

/**
 * Creates a Nest application on Fastify with the error mapping, request ids, headers, limits and metrics of all
 * services. It does not listen yet.
 */
export async function createApplication(
  module: Type | DynamicModule,
  options: ServiceOptions,
): Promise<NestFastifyApplication> {
  const settings: Settings = { ...defaults, ...options };
  const { logger, restErrors, errorBody } = settings;
  const adapter = createAdapter(settings);
  const fastify = adapter.getInstance();
  const allowedMethods = new AllowedMethods(settings.mountedRoutes, settings.unsafeGets);
  addHooks(fastify, settings, allowedMethods);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new FrameworkLogger(logger),
    abortOnError: false,
    // Fastify's parsers for JSON and text are enough; Nest's would add forms, which any page may post.
    bodyParser: false,
  });
  await app.register(fastifyCookie);
  if (settings.compressesResponses) await compressResponses(fastify);
  if (settings.corsOrigins.length > 0) allowOrigins(app, settings.corsOrigins);
  app.useGlobalPipes(new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest }));
  app.useGlobalFilters(new RestErrorsFilter(restErrors, logger, allowedMethods, errorBody));
  return app;
}

/** Creates the HTTP server, with its limits of a request and its responses to requests that no route can handle. */
function createAdapter(settings: Settings): FastifyAdapter {
  const { bodyLimitBytes, requestTimeoutMs, maxHeaderBytes, errorBody, trustedProxies } = settings;
  return new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      // Node swaps the two timeouts if the one for headers is longer, as its default of 60 s would be.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, timeoutCheckIntervalMs),
    },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => withoutRepeatedSlashes(url),
    genReqId: requestId,
    frameworkErrors: rejectUrl(errorBody),
    clientErrorHandler: rejectUnparsable(errorBody, maxHeaderBytes),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
  });
}

/** Adds the hooks of every request. Fastify calls them in this order. */
function addHooks(fastify: FastifyInstance, settings: Settings, allowedMethods: AllowedMethods): void {
  const { logger, metrics, trustedProxies, namedClients, errorBody } = settings;
  const { unsafeGets, sometimesUnsafeGets, bodyLimitBytes, responseLimits, accountOf } = settings;
  tracing?.nameRoutes(fastify);
  allowedMethods.observe(fastify);
  const clientOf = clientFinder({ trustedProxies, namedClients });
  fastify.decorateRequest('client');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.client = clientOf(request.raw);
    writeCommonHeaders(request, reply);
    done();
  });
  logRequests(fastify, logger);
  protectUnsafeGets(fastify, { always: unsafeGets, sometimes: sometimesUnsafeGets }, allowedMethods, errorBody);
  joinBodyChunks(fastify, bodyLimitBytes);
  observeRequests(fastify, metrics);
  if (responseLimits !== undefined)
    limitMemoryAndRate(fastify, { limits: responseLimits, bodyLimitBytes, errorBody, accountOf });
}

function logRequests(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request;
    logger.debug(
      { requestId: id, method, route: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    );
    done();
  });
}

function allowOrigins(app: NestFastifyApplication, origins: readonly string[]): void {
  const isForAny = origins.includes(anyOrigin);
  app.enableCors({
    // The exact origin is echoed, since browsers reject `*` with credentials.
    origin: isForAny ? anyOrigin : [...origins],
    credentials: !isForAny,
    methods: ['GET', 'POST', 'DELETE'],
    maxAge: 600,
    strictPreflight: false,
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'Link', 'Date'],
  });
}
