import { isUtf8 } from 'node:buffer';
import { type RequestListener, type Server } from 'node:http';
import { internalError, invalidRequest, tooManyCalls, tooMuchUnread } from '@waggle/contracts';
import {
  type BudgetRejection,
  type ClientLimitName,
  type ClientOf,
  type Logger,
  nameRequestSpan,
  rejectionStatus,
  rejectedRetryAfterMs,
  type ResponseLimits,
  withoutRepeatedSlashes,
} from '@waggle/service';

import { type CallRateLimiter } from './call-rate-limiter';
import { type CallsInFlight } from './calls-in-flight';
import { headersFor } from './common-headers';
import { decodeBody } from '../rpc/decode';
import { type Dispatcher } from './dispatcher';
import { type EncodedResponses, encodeResponses, idAsString } from './encode';
import { Exchange } from './exchange';
import { type HeaderList } from './header-list';
import { type LongBodies } from './long-bodies';
import { maxBodyBytes, readBody } from './read-body';
import { RequestByteBudget } from '../rpc/request-byte-budget';
import { type RpcResponse } from '../rpc/rpc-response';

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
type Endpoint = (body: Buffer, exchange: Exchange) => void;

/** The paths of the endpoints; each also works with a trailing slash. */
export const endpointPaths = ['/', '/rpc', '/rpc/home'] as const;

/** The listener of each path. */
export type Endpoints = ReadonlyMap<string, RequestListener>;

/**
 * Creates the JSON-RPC endpoints. They bypass Nest and Fastify and listen on Node's own server, because the hooks of
 * the application took longer than a call whose response is cached. Metrics count calls here instead of requests. The
 * body is read as JSON with any content type (curl sends a form's), and its errors are JSON-RPC errors.
 */
export function createEndpoints(options: EndpointOptions): Endpoints {
  const listen = listenerFor(options);
  const strict = listen(
    '/rpc',
    handleCalls(options, (id) => id),
  );
  const home = listen('/rpc/home', handleCalls(options, idAsString));
  // The interface defines POST / to return {}.
  const root = listen('/', (_body, exchange) => {
    exchange.send(200, ['{}']);
  });
  return new Map([
    ['/', root],
    ['/rpc', strict],
    ['/rpc/', strict],
    ['/rpc/home', home],
    ['/rpc/home/', home],
  ]);
}

/** Adds the endpoints to a server. Its own listeners handle all other requests. */
export function mountEndpoints(server: Server, endpoints: Endpoints): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  // Most requests have no query string.
  const endpointOf = (target: string) => endpoints.get(target) ?? endpoints.get(pathOf(target));
  server.on('request', (request, response) => {
    const endpoint = request.method === 'POST' ? endpointOf(request.url ?? '/') : undefined;
    if (endpoint !== undefined) endpoint(request, response);
    else for (const listener of others) listener.call(server, request, response);
  });
}

function pathOf(target: string): string {
  const [path = ''] = withoutRepeatedSlashes(target).split('?', 1);
  return path;
}

/** Names the supported encoding and closes the connection, because the body is not read. */
const unsupportedEncoding = ['accept-encoding', 'identity', 'connection', 'close'];

function listenerFor({
  logger,
  responseLimits,
  corsOrigins,
  clientOf,
}: EndpointOptions): (route: string, endpoint: Endpoint) => RequestListener {
  const headersOf = headersFor(corsOrigins);
  return (route: string, endpoint: Endpoint): RequestListener =>
    (request, response) => {
      nameRequestSpan?.('POST', route);
      const exchange = new Exchange(clientOf(request), headersOf(request), request, response, responseLimits);
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
          endpoint(body, exchange);
        } catch (error) {
          fail(logger, exchange, error);
        }
      });
    };
}

function fail(logger: Logger, exchange: Exchange, error: unknown): void {
  logger.error({ err: error }, 'unhandled error');
  exchange.sendError(500, internalError(error));
}

/** Time after which a client with too many calls in flight may retry, in milliseconds. */
const inFlightRetryMs = 1_000;

/**
 * Each full KiB of a body counts as one more call, so that by default an address can have 6 MB of batches decoded in a
 * minute.
 */
const bodyBytesPerCall = 1024;

function handleCalls(
  { dispatcher, rateLimiter, inFlight, longBodies, maxResponseBytes, responseLimits, logger }: EndpointOptions,
  idOf: (id: string) => string,
): Endpoint {
  const handle = (bytes: Buffer, exchange: Exchange): void => {
    const { client } = exchange;
    const body = decodeBody(textOf(bytes), new RequestByteBudget(maxResponseBytes, exchange.allowance));
    const calls = body.items.length;
    const batchWaitMs = rateLimiter.count(client, calls - 1);
    if (batchWaitMs !== undefined) {
      sendTooManyCalls(exchange, 'calls-per-minute', batchWaitMs);
      return;
    }
    if (!inFlight.allows(client, calls)) {
      sendTooManyCalls(exchange, 'calls-at-once', inFlightRetryMs);
      return;
    }
    const responses = body.items.map((item) => dispatcher.dispatch(item));
    const send = (complete: readonly RpcResponse[]): void => {
      sendResponses(exchange, responseLimits, complete, encodeResponses(body, complete, idOf));
    };
    if (areComplete(responses)) {
      send(responses);
      return;
    }
    inFlight.begin(client, calls);
    void allOf(responses).then((complete) => {
      inFlight.end(client, calls);
      send(complete);
    });
  };
  return (bytes, exchange) => {
    const { client } = exchange;
    // Counts before it decodes, so that a rejected body costs little.
    const bodyCalls = 1 + Math.floor(bytes.length / bodyBytesPerCall);
    const bodyWaitMs = rateLimiter.count(client, bodyCalls);
    if (bodyWaitMs !== undefined) {
      sendTooManyCalls(exchange, 'calls-per-minute', bodyWaitMs);
      return;
    }
    const bytesWaitMs = responseLimits.waitMs({ client });
    if (bytesWaitMs > 0) {
      sendTooManyCalls(exchange, 'response-megabytes-per-minute', bytesWaitMs);
      return;
    }
    longBodies.handle(bytes, {
      run: () => {
        if (exchange.isClosed) exchange.allowance.release();
        else handle(bytes, exchange);
      },
      fail: (error) => {
        fail(logger, exchange, error);
      },
    });
  };
}

function sendTooManyCalls(exchange: Exchange, limit: ClientLimitName, waitMs: number): void {
  exchange.sendError(429, tooManyCalls(limit), ['retry-after', String(Math.ceil(waitMs / 1_000))]);
}

/** Returns an empty text, which is not JSON, for bytes that are not UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  // Invalid bytes become replacement characters.
  return !text.includes('\uFFFD') || isUtf8(bytes) ? text : '';
}

/** Avoids the extra promises of `Promise.all` for a single call, the usual case: they were measurable. */
function allOf(responses: readonly (RpcResponse | Promise<RpcResponse>)[]): Promise<readonly RpcResponse[]> {
  const [only] = responses;
  if (responses.length === 1 && only !== undefined && 'then' in only) return only.then((response) => [response]);
  return Promise.all(responses.map((response) => Promise.resolve(response)));
}

function areComplete(responses: readonly (RpcResponse | Promise<RpcResponse>)[]): responses is readonly RpcResponse[] {
  return responses.every((response) => !('then' in response));
}

/**
 * Sends 429 or 503 if no response fits into the memory. If some fit, they may be to writes, which the client must not
 * send again: the status is then 200, and only the others are errors.
 */
function sendResponses(
  exchange: Exchange,
  limits: ResponseLimits,
  responses: readonly RpcResponse[],
  { texts, sourceHeaders }: EncodedResponses,
): void {
  const { rejection } = exchange.allowance;
  if (texts.length === 0) {
    exchange.sendNoContent();
  } else if (rejection === undefined) {
    exchange.send(200, texts, sourceHeaders);
  } else {
    limits.countRejected();
    const noneFits = responses.every(({ outcome }) => outcome === 'too-long');
    exchange.send(noneFits ? rejectionStatus[rejection] : 200, texts, [...sourceHeaders, ...retryLater]);
  }
}

const retryLater = ['retry-after', String(Math.ceil(rejectedRetryAfterMs / 1_000))];

function sendMemoryError(
  exchange: Exchange,
  limits: ResponseLimits,
  rejection: BudgetRejection,
  headers: HeaderList,
): void {
  limits.countRejected();
  exchange.sendError(rejectionStatus[rejection], tooMuchUnread(), [...headers, ...retryLater]);
}
