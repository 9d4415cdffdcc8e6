import { Readable } from 'node:stream';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type LimitName } from '../errors/limit-names';
import { restErrorBody, type ErrorBody } from '../errors/rest-error-body';
import { isOperational } from '../limits/request-limit.guard';
import { piecesOf, pieceBytes } from './paced-pieces';
import { rejectedRetryAfterMs, rejectionStatus, uncountedBytes, type BudgetRejection } from './response-budget';
import { responseRateLimit, tooManyBytes, type ResponseLimits } from './response-limits';

/** Finds the account that a request was authenticated as; undefined if it is not authenticated. */
export type AccountOf = (request: FastifyRequest) => string | undefined;

interface LimitOptions {
  readonly limits: ResponseLimits;
  readonly bodyLimitBytes: number;
  readonly errorBody: ErrorBody;
  readonly accountOf: AccountOf;
}

/** Applies the limits to every request. Fastify calls the hooks in this order. */
export function limitMemoryAndRate(fastify: FastifyInstance, options: LimitOptions): void {
  options.limits.watch(fastify.server);
  limitResponseRate(fastify, options);
  limitRequestBodies(fastify, options);
  limitResponses(fastify, options);
}

/** Rejects requests of a client that received more response bytes than its rate limit allows. */
function limitResponseRate(fastify: FastifyInstance, { limits, errorBody }: LimitOptions): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const retryAfterMs = isOperational(request.routeOptions.url) ? 0 : limits.waitMs({ client: request.client });
    if (retryAfterMs === 0) {
      done();
      return;
    }
    const error = { code: 'rate-limited', message: tooManyBytes, retryAfterMs, limit: responseRateLimit } as const;
    void reply.send(prepareError(error, reply, errorBody));
  });
}

const messages: Readonly<Record<BudgetRejection, string>> = {
  'rate-limited': 'too many of your responses are unread; read them, then try again',
  unavailable: 'too many responses are unread at the moment',
};

/** Headers that belong to the response that is not sent. */
const bodyHeaders = ['content-length', 'content-encoding', 'etag', 'link', 'last-modified'];

/**
 * Counts the body of each request against the limits before it is read, until its response is sent. A chunked body
 * counts as the largest body.
 */
function limitRequestBodies(fastify: FastifyInstance, options: LimitOptions): void {
  const { limits, bodyLimitBytes } = options;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const bytes = encoding === undefined ? Number(length ?? 0) : bodyLimitBytes;
    // Fastify rejects longer bodies with 413 before reading them.
    if (bytes <= uncountedBytes || bytes > bodyLimitBytes) {
      done();
      return;
    }
    const allowance = limits.allowanceFor({ client: request.client });
    const rejection = allowance.take(bytes);
    if (rejection !== undefined) {
      limits.countRejected();
      // The rest of the body is not read.
      void reply.header('Connection', 'close').send(prepareRejection(rejection, reply, options.errorBody));
      return;
    }
    limits.releaseWhenSent(request.raw.socket, reply.raw, allowance);
    done();
  });
}

/**
 * Counts each response against the limits before it is sent, sends large ones in pieces, and responds with 429 or 503
 * to a read whose response does not fit. A stream counts as one piece, because only one piece is buffered; the endpoint
 * itself limits how many streams a client reads.
 */
function limitResponses(fastify: FastifyInstance, { limits, errorBody, accountOf }: LimitOptions): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes <= uncountedBytes || isOperational(request.routeOptions.url)) {
      done(null, payload);
      return;
    }
    const holder = { client: request.client, account: accountOf(request) };
    if (request.method === 'HEAD') {
      // Its body is not sent, but was built.
      limits.charge(holder, bytes);
      done(null, isStream(payload) ? emptyInsteadOf(payload) : payload);
      return;
    }
    const allowance = limits.allowanceFor(holder);
    const rejection = allowance.take(bytes);
    // Changes are already committed, and the response must report them.
    if (rejection !== undefined && isRead(request)) {
      limits.countRejected();
      if (isStream(payload)) payload.destroy();
      done(null, prepareRejection(rejection, reply, errorBody));
      return;
    }
    limits.charge(holder, bytes);
    limits.releaseWhenSent(request.raw.socket, reply.raw, allowance);
    done(null, bytes > pieceBytes ? inPieces(payload, reply) : payload);
  });
}

/** Makes the reply an error. @returns its body */
function prepareRejection(rejection: BudgetRejection, reply: FastifyReply, errorBody: ErrorBody): string {
  for (const name of bodyHeaders) void reply.removeHeader(name);
  const error = { code: rejection, message: messages[rejection], retryAfterMs: rejectedRetryAfterMs };
  return prepareError(
    rejection === 'rate-limited' ? { ...error, limit: 'response-memory-megabytes' } : error,
    reply,
    errorBody,
  );
}

interface LimitError {
  code: BudgetRejection;
  message: string;
  retryAfterMs: number;
  limit?: LimitName;
}

/** Sets status and headers of an error. @returns its body */
function prepareError(
  { code, message, retryAfterMs, limit }: LimitError,
  reply: FastifyReply,
  errorBody: ErrorBody,
): string {
  const status = rejectionStatus[code];
  void reply.status(status);
  void reply.header('Retry-After', Math.ceil(retryAfterMs / 1_000));
  void reply.header('Content-Type', 'application/json; charset=utf-8');
  return JSON.stringify(errorBody(restErrorBody(status, code, message, reply.request.id, limit)));
}

function inPieces(payload: unknown, reply: FastifyReply): unknown {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  void reply.header('Content-Length', body.length);
  return Readable.from(piecesOf(body), { objectMode: false });
}

/** Fastify breaks the connection for a stream that was destroyed. */
function emptyInsteadOf(stream: Readable): Readable {
  stream.destroy();
  return Readable.from([]);
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  return isStream(payload) ? pieceBytes : 0;
}

function isStream(payload: unknown): payload is Readable {
  return payload instanceof Readable;
}
