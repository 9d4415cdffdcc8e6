import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, type RequestListener } from 'node:http';
import { invalidRequest, RpcError } from '@waggle/contracts';
import { frameworkCode, type ResponseLimits, restErrorBody } from '@waggle/service';
import { z } from 'zod';
import { type MatchedPath, PathTable } from '../routes/path-table';
import { type PathRoute } from '../routes/route';
import { type Call } from '../rpc/call';
import { RequestByteBudget } from '../rpc/request-byte-budget';
import { type CallOutcome, type RpcResponse } from '../rpc/rpc-response';
import { type EncodeError, type Exchange } from './exchange';
import {
  type Endpoint,
  type EndpointOptions,
  fail,
  hasRoomInFlight,
  isWithinLimits,
  listenerFor,
  retryLater,
  sendMemoryError,
} from './request-listener';
import { sourceHeaders } from './source-headers';

/** Returns the listener for a request; undefined if its path or method is not forwarded. */
export type FindPathListener = (request: IncomingMessage) => RequestListener | undefined;

/**
 * Creates the listeners for the paths of the route table, such as the REST APIs that front ends call at the URL of a
 * node. GET is cached, shared and retried like a read, POST is sent once. Only the path, the query and a JSON body are
 * forwarded, no headers. Like the JSON-RPC endpoints, they bypass Nest and Fastify.
 */
export function createPathEndpoints(options: EndpointOptions, routes: readonly PathRoute[]): FindPathListener {
  const paths = new PathTable(routes);
  const listen = listenerFor(options);
  const endpoint = handlePaths(options, paths);
  const listeners = new Map(routes.map(({ name }) => [name, listen(name, endpoint, encodeRestError)]));
  return (request) => {
    if (!methods.has(request.method ?? '')) return undefined;
    const { route } = paths.find(pathOf(request), request.method === 'POST') ?? {};
    return route && listeners.get(route.name);
  };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path;
}

function handlePaths(options: EndpointOptions, paths: PathTable): Endpoint {
  const { dispatcher, inFlight, maxResponseBytes, responseLimits, logger } = options;
  return (body, exchange, request) => {
    const isPost = request.method === 'POST';
    const match = paths.find(pathOf(request), isPost);
    if (match === undefined) throw new Error('a listener without a path');
    if (!isWithinLimits(exchange, body.length, options) || !hasRoomInFlight(exchange, 1, options)) return;
    if (isPost && !isUtf8(body)) {
      exchange.sendError(400, invalidRequest('the body is not UTF-8'));
      return;
    }
    const budget = new RequestByteBudget(maxResponseBytes, exchange.allowance);
    const call = callOf(request.url ?? '/', isPost ? body.toString() : null, match, budget);
    const { client } = exchange;
    inFlight.begin(client, 1);
    Promise.resolve(dispatcher.send(call, isPost ? sentOnce(match.route) : match.route)).then(
      (response) => {
        inFlight.end(client, 1);
        sendResponse(exchange, response, responseLimits);
      },
      (error: unknown) => {
        inFlight.end(client, 1);
        fail(logger, exchange, error);
      },
    );
  };
}

/**
 * Describes the request for a path as a call of the method that its route names.
 *
 * @param target the path with the query
 * @param body of a POST; null for a GET
 */
function callOf(target: string, body: string | null, { route, params }: MatchedPath, budget: RequestByteBudget): Call {
  const { name, stripsPrefix } = route;
  return {
    id: 'null',
    method: name,
    params,
    paramsText: body === null ? target : `${target} ${body}`,
    isViaCall: false,
    pathRequest: {
      httpMethod: body === null ? 'GET' : 'POST',
      target: stripsPrefix ? withoutPrefix(target, name) : target,
      body,
      apiRoot: stripsPrefix ? '/' : name,
    },
    budget,
  };
}

function withoutPrefix(target: string, prefix: string): string {
  const rest = target.slice(prefix.length - 1);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The route of a request that may change something. */
function sentOnce(route: PathRoute): PathRoute {
  return { ...route, retries: 0, hedgeMs: undefined, cache: { kind: 'none' }, staleMs: 0 };
}

/** Sends the result or the error of the REST API as the node sent it, or an error of the gateway itself. */
function sendResponse(exchange: Exchange, response: RpcResponse, limits: ResponseLimits): void {
  const headers = sourceHeaders([response]);
  const { member, rest = [], outcome, status } = response;
  const { rejection } = exchange.allowance;
  if (rejection !== undefined) {
    sendMemoryError(exchange, limits, rejection, headers);
    return;
  }
  if (outcome === 'result') {
    exchange.send(200, [member.slice('"result":'.length), ...rest], headers);
  } else if (outcome === 'rejected' && status !== undefined) {
    exchange.send(status, [member.slice('"error":'.length)], headers);
  } else {
    const ownStatus = statuses[outcome] ?? 502;
    exchange.sendError(ownStatus, errorIn(member), ownStatus === 503 ? [...headers, ...retryLater] : headers);
  }
}

const errorOf = z.object({ error: z.object({ code: z.number(), message: z.string() }) });

/** Parses the error that the gateway wrote for a JSON-RPC client. */
function errorIn(member: string): RpcError {
  const { code, message } = errorOf.parse(JSON.parse(`{${member}}`)).error;
  return new RpcError(code, message);
}

/** The HTTP statuses of errors; 502 for any other. */
const statuses: Partial<Record<CallOutcome, number>> = {
  rejected: 400,
  'not-served': 404,
  'internal-error': 500,
  'index-incomplete': 503,
  overloaded: 503,
  timeout: 504,
};

/** The error codes of statuses for which the framework has none or another one. */
const codes: Readonly<Record<number, string>> = { 500: 'internal', 502: 'bad-response', 504: 'timeout' };

const encodeRestError: EncodeError = (status, { message }, requestId) => [
  JSON.stringify(restErrorBody(status, codes[status] ?? frameworkCode(status), message, requestId)),
];
