import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import { BadRequestException, StandardSchemaValidationPipe, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Registry } from 'prom-client';
import { AllowedMethods, type RoutePattern } from './allowed-methods';
import { anyOrigin, ConfigurationError } from './configuration';
import { isDatabaseUnavailable } from './database/errors';
import { FrameworkLogger, type Logger } from './logging';
import { observeRequests } from './metrics';
import { withoutRepeatedSlashes } from './repeated-slashes';
import { requestId } from './request-id';
import { compressResponses } from './responses/compress-responses';
import { limitPace, limitRequestBodies, limitResponses, type AccountOf } from './responses/limit-responses';
import { type ResponseLimits } from './responses/response-limits';
import { frameworkCode, restErrorBody, type ErrorBody } from './rest-error-body';
import { RestErrorsFilter } from './rest-errors.filter';
import { securityHeaders } from './security-headers';
import { tracing } from './tracing/tracing';

export interface ServiceOptions {
  logger: Logger;
  metrics: Registry;
  /** HTTP status of each `ServiceError` code that the service throws. */
  restErrors: Readonly<Record<string, number>>;
  /** Makes the body of each REST error, where it is not the one that all services have. */
  errorBody?: ErrorBody;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  /** Largest request body, in bytes; 64 KiB by default. */
  bodyLimitBytes?: number;
  /** Limits the memory of responses and request bodies. Without it, as where only health and metrics are served, nothing does. */
  responseLimits?: ResponseLimits;
  /** Compresses responses for clients that accept it. Only for services whose responses are all public. */
  compressesResponses?: boolean;
  /** The account that a request was authenticated as: its responses count against it besides its address. */
  accountOf?: AccountOf;
  /** Patterns of GET routes that change something, such as a log-in: HEAD is refused for them, which would do it unseen. */
  changingGets?: readonly string[];
  /** Routes that are served beside the application, on the same server. */
  mountedRoutes?: readonly RoutePattern[];
  /** Largest URL and headers of a request, in bytes together; 16 KiB by default, as in Node. */
  maxHeaderBytes?: number;
  /** How long a client may take to send a request whole: a slow one must not hold a connection for ever. 30 s by default. */
  requestTimeoutMs?: number;
}

/** How often Node looks for requests over their time at most: so much later than the limit one may end. */
const timeoutCheckIntervalMs = 5_000;

/** A Nest application on Fastify with what every service shares: errors, ids, headers, limits, metrics. Not yet listening. */
export async function createApplication(
  module: Type | DynamicModule,
  options: ServiceOptions,
): Promise<NestFastifyApplication> {
  const { logger, metrics, restErrors, corsOrigins, trustedProxies } = options;
  const { bodyLimitBytes = 64 * 1024, requestTimeoutMs = 30_000, errorBody = (body) => body } = options;
  const { responseLimits, accountOf = () => undefined, changingGets = [], mountedRoutes = [] } = options;
  const { compressesResponses = false, maxHeaderBytes = 16 * 1024 } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      // Node exchanges the two limits where that of the headers is the longer one, as its default of 60 s would be.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, timeoutCheckIntervalMs),
    },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => withoutRepeatedSlashes(url),
    genReqId: requestId,
    frameworkErrors: refuseUrl(errorBody),
    clientErrorHandler: refuseUnparsable(errorBody, maxHeaderBytes),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
  });
  const fastify = adapter.getInstance();
  tracing?.nameRoutes(fastify);
  const allowedMethods = new AllowedMethods(mountedRoutes, changingGets);
  allowedMethods.observe(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
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
  refuseChangingHeads(fastify, allowedMethods, errorBody);
  observeRequests(fastify, metrics);
  if (responseLimits !== undefined) {
    const limited = { limits: responseLimits, bodyLimitBytes, errorBody, accountOf };
    limitPace(fastify, limited);
    limitRequestBodies(fastify, limited);
    limitResponses(fastify, limited);
  }

  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new FrameworkLogger(logger),
    abortOnError: false,
    // Fastify's own parsers stay, of JSON and text; Nest's would add forms, which any page may post.
    bodyParser: false,
  });
  await app.register(fastifyCookie);
  if (compressesResponses) await compressResponses(fastify);
  const isForAny = corsOrigins.includes(anyOrigin);
  // The exact origin is echoed: with credentials a browser refuses `*`, and rightly.
  if (corsOrigins.length > 0)
    app.enableCors({
      origin: isForAny ? anyOrigin : [...corsOrigins],
      credentials: !isForAny,
      methods: ['GET', 'POST', 'DELETE'],
      maxAge: 600,
      strictPreflight: false,
      exposedHeaders: ['X-Request-Id', 'Retry-After', 'Link'],
    });
  app.useGlobalPipes(new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest }));
  app.useGlobalFilters(new RestErrorsFilter(restErrors, logger, allowedMethods, errorBody));
  return app;
}

function refuseChangingHeads(fastify: FastifyInstance, allowedMethods: AllowedMethods, errorBody: ErrorBody): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    if (request.method !== 'HEAD' || !allowedMethods.isChangingGet(url)) {
      done();
      return;
    }
    void reply.status(405).header('Allow', allowedMethods.of(url).join(', '));
    void reply.send(errorBody(restErrorBody(405, frameworkCode(405), 'HEAD is not supported here', request.id)));
  });
}

function writeCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(securityHeaders).header('X-Request-Id', id);
  // Answers are about somebody; what may be kept says so itself.
  void reply.header('Cache-Control', 'no-store');
}

/** A URL that cannot be decoded reaches no route and so no hook and no filter. */
function refuseUrl(errorBody: ErrorBody) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    writeCommonHeaders(request, reply);
    const body = restErrorBody(400, 'invalid-request', 'the URL cannot be decoded', request.id);
    void reply.status(400).send(errorBody(body));
  };
}

/** Statuses and words for what Node gives up reading as a request; anything else is no HTTP. */
const unreadable = (maxHeaderBytes: number): Record<string, { status: number; message: string }> => ({
  HPE_HEADER_OVERFLOW: { status: 431, message: `URL and headers are longer than ${maxHeaderBytes / 1024} KiB` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
});
const noHttp = { status: 400, message: 'not a readable HTTP request' };

/** What is no whole request reaches no filter and has no reply: the answer is written to the socket. */
function refuseUnparsable(errorBody: ErrorBody, maxHeaderBytes: number) {
  const known = unreadable(maxHeaderBytes);
  return (error: Error & { code?: string }, socket: Socket) => {
    if (!socket.writable) return;
    const { status, message } = known[error.code ?? ''] ?? noHttp;
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

/** The first faults are enough to mend a request; how many there are is up to the caller. */
const maxReportedIssues = 5;

interface Fault {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** Names each field and what is wrong with it. */
function invalidRequest(faults: readonly Fault[]): BadRequestException {
  const told = faults.slice(0, maxReportedIssues).map(({ path = [], message }) => {
    const field = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
    if (field !== '') return `${field}: ${message}`;
    // What a browser's `fetch` sends as text where nobody says that it is JSON.
    return message.endsWith('received string') ? `${message}; JSON needs Content-Type: application/json` : message;
  });
  return new BadRequestException(told.join('; '));
}

/** Runs a `main`. If it fails, prints the reason, in one line if an operator can fix it, and exits with 1. */
export function runMain(main: () => Promise<void>) {
  main().catch((error: unknown) => {
    console.error(startFailure(error));
    process.exit(1);
  });
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `${error.message}: the port is taken; set PORT to a free one.`;
  if (isDatabaseUnavailable(error)) return `The database is not available: ${reasonOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The message of an error. An `AggregateError`, as of a host with several addresses, has none of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
