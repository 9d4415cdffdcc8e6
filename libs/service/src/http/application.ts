import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import { BadRequestException, StandardSchemaValidationPipe, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Registry } from 'prom-client';
import { AllowedMethods, type RoutePattern } from './allowed-methods';
import { clientFinder, type Client } from '../limits/client';
import { type NamedClient } from '../limits/client-settings';
import { anyOrigin } from '../configuration';
import { requestId, withoutRepeatedSlashes } from './read-request';
import { joinBodyChunks } from './join-body-chunks';
import { FrameworkLogger, type Logger } from '../observability/logging';
import { observeRequests } from '../observability/metrics';
import { compressResponses } from '../responses/compress-responses';
import {
  limitResponseRate,
  limitRequestBodies,
  limitResponses,
  type AccountOf,
} from '../responses/response-limit-hooks';
import { type ResponseLimits } from '../responses/response-limits';
import { frameworkCode, restErrorBody, type ErrorBody } from '../errors/rest-error-body';
import { RestErrorsFilter } from './rest-errors.filter';
import { securityHeaders } from './security-headers';
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

/**
 * Creates a Nest application on Fastify with the error mapping, request ids, headers, limits and metrics of all
 * services. It does not listen yet.
 */
export async function createApplication(
  module: Type | DynamicModule,
  options: ServiceOptions,
): Promise<NestFastifyApplication> {
  const { logger, metrics, restErrors, corsOrigins, trustedProxies, namedClients = [] } = options;
  const { bodyLimitBytes = 64 * 1024, requestTimeoutMs = 30_000, errorBody = (body) => body } = options;
  const { responseLimits, accountOf = () => undefined, mountedRoutes = [] } = options;
  const { unsafeGets = [], sometimesUnsafeGets = [] } = options;
  const { compressesResponses = false, maxHeaderBytes = 16 * 1024 } = options;
  const adapter = new FastifyAdapter({
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
  const fastify = adapter.getInstance();
  tracing?.nameRoutes(fastify);
  const clientOf = clientFinder({ trustedProxies, namedClients });
  fastify.decorateRequest('client');
  const allowedMethods = new AllowedMethods(mountedRoutes, unsafeGets);
  allowedMethods.observe(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    request.client = clientOf(request.raw);
    writeCommonHeaders(request, reply);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request;
    logger.debug(
      { requestId: id, method, route: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    );
    done();
  });
  rejectHeads(fastify, allowedMethods, errorBody);
  const withoutPrefetch = [...unsafeGets, ...sometimesUnsafeGets];
  rejectPrefetches(fastify, new Set(withoutPrefetch), errorBody);
  requireGets(fastify, withoutPrefetch, allowedMethods);
  joinBodyChunks(fastify, bodyLimitBytes);
  observeRequests(fastify, metrics);
  if (responseLimits !== undefined) {
    const limited = { limits: responseLimits, bodyLimitBytes, errorBody, accountOf };
    responseLimits.watch(fastify.server);
    limitResponseRate(fastify, limited);
    limitRequestBodies(fastify, limited);
    limitResponses(fastify, limited);
  }

  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new FrameworkLogger(logger),
    abortOnError: false,
    // Fastify's parsers for JSON and text are enough; Nest's would add forms, which any page may post.
    bodyParser: false,
  });
  await app.register(fastifyCookie);
  if (compressesResponses) await compressResponses(fastify);
  const isForAny = corsOrigins.includes(anyOrigin);
  // The exact origin is echoed, since browsers reject `*` with credentials.
  if (corsOrigins.length > 0)
    app.enableCors({
      origin: isForAny ? anyOrigin : [...corsOrigins],
      credentials: !isForAny,
      methods: ['GET', 'POST', 'DELETE'],
      maxAge: 600,
      strictPreflight: false,
      exposedHeaders: ['X-Request-Id', 'Retry-After', 'Link', 'Date'],
    });
  app.useGlobalPipes(new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest }));
  app.useGlobalFilters(new RestErrorsFilter(restErrors, logger, allowedMethods, errorBody));
  return app;
}

function rejectHeads(fastify: FastifyInstance, allowedMethods: AllowedMethods, errorBody: ErrorBody): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (request.method !== 'HEAD' || !allowedMethods.isUnsafe(url)) {
      done();
      return;
    }
    void reply.status(405).header('Allow', allowedMethods.methodsOf(url).join(', '));
    void reply.send(errorBody(restErrorBody(405, frameworkCode(405), 'HEAD is not supported here', request.id)));
  });
}

/** Fails the start if a GET route does not exist: after a change of its path it would be served to prefetches. */
function requireGets(fastify: FastifyInstance, urls: readonly string[], allowedMethods: AllowedMethods): void {
  fastify.addHook('onReady', (done) => {
    const missing = urls.filter((url) => !allowedMethods.methodsOf(url).includes('GET'));
    done(missing.length > 0 ? new Error(`there is no GET route ${missing.join(', ')}`) : undefined);
  });
}

/**
 * What browsers send with a request for a page that the user has not opened: `Sec-Purpose` by the Fetch standard, the
 * others in older versions of Chromium and Safari, Firefox and Safari.
 */
const prefetchHeaders = { 'sec-purpose': 'prefetch', purpose: 'prefetch', 'x-moz': 'prefetch', 'x-purpose': 'preview' };

/** Rejects prefetches, also for a prerendered page, of routes that change something. */
function rejectPrefetches(fastify: FastifyInstance, routes: ReadonlySet<string>, errorBody: ErrorBody): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isPrefetch = Object.entries(prefetchHeaders).some(([name, value]) => request.headers[name]?.includes(value));
    if (!isPrefetch || !routes.has(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    void reply.status(503);
    void reply.send(errorBody(restErrorBody(503, frameworkCode(503), 'prefetches are not served here', request.id)));
  });
}

function writeCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(securityHeaders).header('X-Request-Id', id);
  // Most responses are about one user. Handlers of cacheable ones override this.
  void reply.header('Cache-Control', 'no-store');
}

/** Handles URLs that cannot be decoded: they match no route, so no hook or filter sees them. */
function rejectUrl(errorBody: ErrorBody) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    writeCommonHeaders(request, reply);
    const body = restErrorBody(400, 'invalid-request', 'the URL cannot be decoded', request.id);
    void reply.status(400).send(errorBody(body));
  };
}

/** Statuses and messages for requests that Node's parser aborts; other errors mean that it is not HTTP. */
const unreadable = (maxHeaderBytes: number): Record<string, { status: number; message: string }> => ({
  HPE_HEADER_OVERFLOW: { status: 431, message: `URL and headers are longer than ${maxHeaderBytes / 1024} KiB` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
});
const malformedRequest = { status: 400, message: 'not a readable HTTP request' };

/** A socket with the response that Node is sending over it. Node's own handler of `clientError` uses it, too. */
type SendingSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Handles incomplete or invalid requests: they have no reply object, so the response is written to the socket, unless
 * that would corrupt another one in progress.
 */
function rejectUnparsable(errorBody: ErrorBody, maxHeaderBytes: number) {
  const known = unreadable(maxHeaderBytes);
  return (error: Error & { code?: string }, socket: SendingSocket) => {
    if (socket._httpMessage?.headersSent === true) socket.destroy();
    if (!socket.writable) return;
    const { status, message } = known[error.code ?? ''] ?? malformedRequest;
    const id = randomUUID();
    const body = JSON.stringify(errorBody(restErrorBody(status, frameworkCode(status), message, id)));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}

/** The number of issues is up to the caller; the first ones are enough to fix a request. */
const maxReportedIssues = 5;

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** Creates the error that names the invalid fields. */
function invalidRequest(issues: readonly ValidationIssue[]): BadRequestException {
  const reported = issues.slice(0, maxReportedIssues).map(({ path = [], message }) => {
    const field = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
    if (field !== '') return `${field}: ${message}`;
    // A browser's `fetch` sends a string as text unless the content type is set.
    return message.endsWith('received string') ? `${message}; JSON needs Content-Type: application/json` : message;
  });
  return new BadRequestException(reported.join('; '));
}
