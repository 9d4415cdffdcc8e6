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
  // The path is looked up unchanged first, since most requests have no query string.
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

/** @param idOf returns the id of a call as its response has it */
function handleCalls(options: EndpointOptions, idOf: (id: string) => string): Endpoint {
  return (bytes, exchange) => {
    // Counts before it decodes, so that a rejected body costs little.
    if (!isWithinLimits(exchange, bytes.length, options)) return;
    options.longBodies.handle(bytes, {
      run: () => {
        if (exchange.isClosed) exchange.allowance.release();
        else respondToCalls(bytes, exchange, options, idOf);
      },
      fail: (error) => {
        fail(options.logger, exchange, error);
      },
    });
  };
}

/** Decodes a body, dispatches its calls, and sends the responses when all of them are known. */
function respondToCalls(
  bytes: Buffer,
  exchange: Exchange,
  options: EndpointOptions,
  idOf: (id: string) => string,
): void {
  const { dispatcher, rateLimiter, inFlight, maxResponseBytes, responseLimits } = options;
  const { client } = exchange;
  const body = decodeBody(textOf(bytes), new RequestByteBudget(maxResponseBytes, exchange.allowance));
  const calls = body.items.length;
  // `isWithinLimits` counted the first call.
  const waitMs = rateLimiter.count(client, calls - 1);
  if (waitMs !== undefined) {
    sendTooManyCalls(exchange, 'calls-per-minute', waitMs);
    return;
  }
  if (!hasRoomInFlight(exchange, calls, options)) return;
  const send = (responses: readonly RpcResponse[]): void => {
    sendResponses(exchange, responseLimits, responses, encodeResponses(body, responses, idOf));
  };
  const dispatched = body.items.map((item) => dispatcher.dispatch(item));
  if (areComplete(dispatched)) {
    send(dispatched);
    return;
  }
  inFlight.begin(client, calls);
  void allOf(dispatched).then((responses) => {
    inFlight.end(client, calls);
    send(responses);
  });
}

/** Returns an empty text, which is not JSON, for bytes that are not UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  // Invalid bytes become replacement characters.
  return !text.includes('\uFFFD') || isUtf8(bytes) ? text : '';
}

function areComplete(responses: readonly (RpcResponse | Promise<RpcResponse>)[]): responses is readonly RpcResponse[] {
  return responses.every((response) => !('then' in response));
}

/** Avoids the extra promises of `Promise.all` for a single call, the usual case: they were measurable. */
function allOf(responses: readonly (RpcResponse | Promise<RpcResponse>)[]): Promise<readonly RpcResponse[]> {
  const [only] = responses;
  if (responses.length === 1 && only !== undefined && 'then' in only) return only.then((response) => [response]);
  return Promise.all(responses.map((response) => Promise.resolve(response)));
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
