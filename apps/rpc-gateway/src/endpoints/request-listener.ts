import { type IncomingMessage, type RequestListener } from 'node:http';
import { internalError, invalidRequest, tooManyCalls, tooMuchUnread } from '@waggle/contracts';
import {
  type BudgetRejection,
  type ClientLimitName,
  type ClientOf,
  type Logger,
  nameRequestSpan,
  rejectedRetryAfterMs,
  rejectionStatus,
  type ResponseLimits,
} from '@waggle/service';
import { type CallRateLimiter } from './call-rate-limiter';
import { type CallsInFlight } from './calls-in-flight';
import { headersFor } from './common-headers';
import { type Dispatcher } from './dispatcher';
import { type EncodeError, Exchange } from './exchange';
import { type HeaderList } from './header-list';
import { type LongBodies } from './long-bodies';
import { maxBodyBytes, readBody } from './read-body';

export interface EndpointOptions {
  readonly dispatcher: Dispatcher;
  readonly rateLimiter: CallRateLimiter;
  readonly inFlight: CallsInFlight;
  readonly longBodies: LongBodies;
  /** Maximum size of all responses to one request together. */
  readonly maxResponseBytes: number;
  /** The memory that all requests and responses share. */
  readonly responseLimits: ResponseLimits;
  readonly logger: Logger;
  readonly corsOrigins: readonly string[];
  readonly clientOf: ClientOf;
}

/** Handles a request whose body was read. */
export type Endpoint = (body: Buffer, exchange: Exchange, request: IncomingMessage) => void;

/** Makes the listener of a path. Errors are JSON-RPC errors unless `encodeError` writes them. */
export type MakeListener = (route: string, endpoint: Endpoint, encodeError?: EncodeError) => RequestListener;

/** Returns a function that makes listeners: each reads the body of a request and passes it to an endpoint. */
export function listenerFor(options: EndpointOptions): MakeListener {
  const { logger, responseLimits, corsOrigins, clientOf } = options;
  const headersOf = headersFor(corsOrigins);
  return (route, endpoint, encodeError) => (request, response) => {
    nameRequestSpan?.(request.method ?? 'POST', route);
    const [client, headers] = [clientOf(request), headersOf(request)];
    const exchange = new Exchange(client, headers, request, response, responseLimits, encodeError);
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') {
      exchange.sendError(415, invalidRequest('the body must not be compressed'), unsupportedEncoding);
      return;
    }
    readBody(request, exchange.allowance, (body) => {
      if (body === undefined) {
        rejectBody(exchange, responseLimits);
        return;
      }
      try {
        endpoint(body, exchange, request);
      } catch (error) {
        fail(logger, exchange, error);
      }
    });
  };
}

/** The body is not read, so no other request can follow on the connection. */
const closeConnection = ['connection', 'close'];

const unsupportedEncoding = ['accept-encoding', 'identity', ...closeConnection];

/** Rejects a body that is too long, or exceeds the memory that all requests share. */
function rejectBody(exchange: Exchange, responseLimits: ResponseLimits): void {
  const { rejection } = exchange.allowance;
  if (rejection === undefined)
    exchange.sendError(413, invalidRequest(`the body is longer than ${maxBodyBytes} bytes`), closeConnection);
  else sendMemoryError(exchange, responseLimits, rejection, closeConnection);
}

/** Logs an unexpected error, and responds with an opaque one. */
export function fail(logger: Logger, exchange: Exchange, error: unknown): void {
  logger.error({ err: error }, 'unhandled error');
  exchange.sendError(500, internalError(error));
}

/**
 * Each full KiB of a body counts as one more call, so that by default an address can have 6 MB of batches decoded in a
 * minute.
 */
const bodyBytesPerCall = 1024;

/**
 * Counts a request, and rejects it if the client is beyond a limit.
 *
 * @returns whether it may be handled
 */
export function isWithinLimits(
  exchange: Exchange,
  bodyBytes: number,
  { rateLimiter, responseLimits }: Pick<EndpointOptions, 'rateLimiter' | 'responseLimits'>,
): boolean {
  const { client } = exchange;
  const bodyWaitMs = rateLimiter.count(client, 1 + Math.floor(bodyBytes / bodyBytesPerCall));
  if (bodyWaitMs !== undefined) {
    sendTooManyCalls(exchange, 'calls-per-minute', bodyWaitMs);
    return false;
  }
  const bytesWaitMs = responseLimits.waitMs({ client });
  if (bytesWaitMs > 0) sendTooManyCalls(exchange, 'response-megabytes-per-minute', bytesWaitMs);
  return bytesWaitMs <= 0;
}

/** Time after which a client with too many calls in flight may retry, in milliseconds. */
const inFlightRetryMs = 1_000;

/** Rejects calls if the client already has too many in flight. @returns whether they may be handled */
export function hasRoomInFlight(
  exchange: Exchange,
  calls: number,
  { inFlight }: Pick<EndpointOptions, 'inFlight'>,
): boolean {
  const isAllowed = inFlight.allows(exchange.client, calls);
  if (!isAllowed) sendTooManyCalls(exchange, 'calls-at-once', inFlightRetryMs);
  return isAllowed;
}

export function sendTooManyCalls(exchange: Exchange, limit: ClientLimitName, waitMs: number): void {
  exchange.sendError(429, tooManyCalls(limit), ['retry-after', String(Math.ceil(waitMs / 1_000))]);
}

/** The headers of a response that the memory did not suffice for. */
export const retryLater = ['retry-after', String(Math.ceil(rejectedRetryAfterMs / 1_000))];

/** Rejects a request because the memory for requests and responses is full. */
export function sendMemoryError(
  exchange: Exchange,
  limits: ResponseLimits,
  rejection: BudgetRejection,
  headers: HeaderList,
): void {
  limits.countRejected();
  exchange.sendError(rejectionStatus[rejection], tooMuchUnread(), [...headers, ...retryLater]);
}
