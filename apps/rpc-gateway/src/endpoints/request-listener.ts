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

/** Names the supported encoding and closes the connection, because the body is not read. */
const unsupportedEncoding = ['accept-encoding', 'identity', 'connection', 'close'];

/**
 * Returns how to listen on a path: the listener reads the body, and sends errors before there is one. Without
 * `encodeError` they are JSON-RPC errors.
 */
export function listenerFor({
  logger,
  responseLimits,
  corsOrigins,
  clientOf,
}: EndpointOptions): (route: string, endpoint: Endpoint, encodeError?: EncodeError) => RequestListener {
  const headersOf = headersFor(corsOrigins);
  return (route, endpoint, encodeError) => (request, response) => {
    nameRequestSpan?.(request.method ?? 'POST', route);
    const exchange = new Exchange(
      clientOf(request),
      headersOf(request),
      request,
      response,
      responseLimits,
      encodeError,
    );
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') {
      exchange.sendError(415, invalidRequest('the body must not be compressed'), unsupportedEncoding);
      return;
    }
    readBody(request, exchange.allowance, (body) => {
      if (body === undefined) {
        // The rest of the body is not read.
        const headers = ['connection', 'close'];
        const { rejection } = exchange.allowance;
        if (rejection === undefined)
          exchange.sendError(413, invalidRequest(`the body is longer than ${maxBodyBytes} bytes`), headers);
        else sendMemoryError(exchange, responseLimits, rejection, headers);
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

export const retryLater = ['retry-after', String(Math.ceil(rejectedRetryAfterMs / 1_000))];

export function sendMemoryError(
  exchange: Exchange,
  limits: ResponseLimits,
  rejection: BudgetRejection,
  headers: HeaderList,
): void {
  limits.countRejected();
  exchange.sendError(rejectionStatus[rejection], tooMuchUnread(), [...headers, ...retryLater]);
}
