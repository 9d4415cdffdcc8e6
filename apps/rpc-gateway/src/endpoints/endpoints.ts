import { isUtf8 } from 'node:buffer';
import { type RequestListener, type Server } from 'node:http';
import { rejectionStatus, type ResponseLimits, withoutRepeatedSlashes } from '@waggle/service';
import { decodeBody } from '../rpc/decode';
import { RequestByteBudget } from '../rpc/request-byte-budget';
import { type RpcResponse } from '../rpc/rpc-response';
import { type EncodedResponses, encodeResponses, idAsString } from './encode';
import { type Exchange } from './exchange';
import { type FindPathListener } from './path-endpoints';
import {
  type Endpoint,
  type EndpointOptions,
  fail,
  hasRoomInFlight,
  isWithinLimits,
  listenerFor,
  retryLater,
  sendTooManyCalls,
} from './request-listener';

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

/** Adds the endpoints and the forwarded paths to a server. Its own listeners handle all other requests. */
export function mountEndpoints(server: Server, endpoints: Endpoints, findPathListener: FindPathListener): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  // Most requests have no query string.
  const endpointOf = (target: string) => endpoints.get(target) ?? endpoints.get(pathOf(target));
  server.on('request', (request, response) => {
    const endpoint =
      (request.method === 'POST' ? endpointOf(request.url ?? '/') : undefined) ?? findPathListener(request);
    if (endpoint !== undefined) endpoint(request, response);
    else for (const listener of others) listener.call(server, request, response);
  });
}

function pathOf(target: string): string {
  const [path = ''] = withoutRepeatedSlashes(target).split('?', 1);
  return path;
}

function handleCalls(options: EndpointOptions, idOf: (id: string) => string): Endpoint {
  const { dispatcher, rateLimiter, inFlight, longBodies, maxResponseBytes, responseLimits, logger } = options;
  const handle = (bytes: Buffer, exchange: Exchange): void => {
    const { client } = exchange;
    const body = decodeBody(textOf(bytes), new RequestByteBudget(maxResponseBytes, exchange.allowance));
    const calls = body.items.length;
    const batchWaitMs = rateLimiter.count(client, calls - 1);
    if (batchWaitMs !== undefined) {
      sendTooManyCalls(exchange, 'calls-per-minute', batchWaitMs);
      return;
    }
    if (!hasRoomInFlight(exchange, calls, options)) return;
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
    // Counts before it decodes, so that a rejected body costs little.
    if (!isWithinLimits(exchange, bytes.length, options)) return;
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
  let unsentBytes = 0;
  for (const response of responses) unsentBytes += response.unsentBytes ?? 0;
  if (texts.length === 0) {
    exchange.sendNoContent();
  } else if (rejection === undefined) {
    exchange.send(200, texts, sourceHeaders, unsentBytes);
  } else {
    limits.countRejected();
    const noneFits = responses.every(({ outcome }) => outcome === 'too-long');
    const headers = [...sourceHeaders, ...retryLater];
    exchange.send(noneFits ? rejectionStatus[rejection] : 200, texts, headers, unsentBytes);
  }
}
