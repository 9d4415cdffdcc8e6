import { isUtf8 } from 'node:buffer';
import { type RequestListener, type Server } from 'node:http';
import { internalError, invalidRequest, tooManyCalls, tooMuchUnread } from '@waggle/contracts';
import {
  type BudgetRefusal,
  type Logger,
  nameRequestSpan,
  refusalStatus,
  refusedRetryAfterMs,
  type ResponseLimits,
  withoutRepeatedSlashes,
} from '@waggle/service';
import { type Answer } from './answer';
import { AnswerRoom } from './answer-room';
import { type CallLimit } from './call-limit';
import { type CallsUnderWay } from './calls-under-way';
import { clientKeyFor } from './client-address';
import { type HeaderList, headersFor } from './common-headers';
import { decodeBody } from './decode';
import { type Dispatcher } from './dispatcher';
import { type EncodedAnswers, encodeAnswers, idAsText } from './encode';
import { Exchange } from './exchange';
import { bodyMostBytes, readBody } from './read-body';

export interface EndpointOptions {
  readonly dispatcher: Dispatcher;
  /** Of calls by address. */
  readonly limit: CallLimit;
  readonly underWay: CallsUnderWay;
  /** What the answers to one request may take together, in bytes. */
  readonly answersMostBytes: number;
  /** What all requests and responses may hold together. */
  readonly responseLimits: ResponseLimits;
  readonly logger: Logger;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
}

/** What answers a request whose body was read. */
type Endpoint = (body: Buffer, exchange: Exchange) => void;

/** The paths of the endpoints; each is also served with a slash behind it. */
export const endpointPaths = ['/', '/rpc', '/rpc/home'] as const;

/** What is posted to a path, and what listens there. */
export type Endpoints = ReadonlyMap<string, RequestListener>;

/**
 * The endpoints of JSON-RPC, on Node's own server, beside the application: the hooks of Nest and Fastify, and those by which the
 * application writes headers and times requests, took longer than all that is done for a call whose answer is known. Here
 * calls are timed and not requests. The body is read by JSON-RPC's rules, whatever type it is said to have (curl says that it
 * is a form), and what is wrong with it is answered by JSON-RPC's.
 */
export function createEndpoints(options: EndpointOptions): Endpoints {
  const listen = listenerFor(options);
  const strict = listen(
    '/rpc',
    answerBody(options, (id) => id),
  );
  const home = listen('/rpc/home', answerBody(options, idAsText));
  // By the interface's own words: who posts here is told nothing.
  const nothing = listen('/', (_body, exchange) => {
    exchange.send(200, ['{}']);
  });
  return new Map([
    ['/', nothing],
    ['/rpc', strict],
    ['/rpc/', strict],
    ['/rpc/home', home],
    ['/rpc/home/', home],
  ]);
}

/** Lets the endpoints answer what is posted to their paths at a server, and the server's own listeners all else. */
export function mountEndpoints(server: Server, endpoints: Endpoints): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  // Most targets are just a path of an endpoint.
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

/** Says which encoding is supported, and does not read the body. */
const unsupportedEncoding = ['accept-encoding', 'identity', 'connection', 'close'];

function listenerFor({ logger, responseLimits, corsOrigins, trustedProxies }: EndpointOptions) {
  const headersOf = headersFor(corsOrigins);
  const clientOf = clientKeyFor(trustedProxies);
  return (route: string, endpoint: Endpoint): RequestListener =>
    (request, response) => {
      nameRequestSpan?.('POST', route);
      const exchange = new Exchange(clientOf(request), headersOf(request), request, response, responseLimits);
      const { 'content-encoding': encoding = 'identity' } = request.headers;
      if (encoding.toLowerCase() !== 'identity') {
        exchange.refuse(415, invalidRequest('the body must not be compressed'), unsupportedEncoding);
        return;
      }
      readBody(request, exchange.allowance, (body) => {
        if (body === undefined) {
          // What is left of it is not read.
          const headers = ['connection', 'close'];
          const { refusal } = exchange.allowance;
          if (refusal === undefined)
            exchange.refuse(413, invalidRequest(`the body is longer than ${bodyMostBytes} bytes`), headers);
          else refuseForMemory(exchange, responseLimits, refusal, headers);
          return;
        }
        try {
          endpoint(body, exchange);
        } catch (error) {
          logger.error({ err: error }, 'unhandled error');
          exchange.refuse(500, internalError(error));
        }
      });
    };
}

/** When those may be answered that are under way. */
const soonMs = 1_000;

function answerBody(
  { dispatcher, limit, underWay, answersMostBytes, responseLimits }: EndpointOptions,
  idOf: (id: string) => string,
): Endpoint {
  return (bytes, exchange) => {
    const body = decodeBody(textOf(bytes), new AnswerRoom(answersMostBytes, exchange.allowance));
    const { client } = exchange;
    const calls = body.items.length;
    const waitMs =
      limit.count(client, calls) ??
      (underWay.hasRoom(client, calls) ? responseLimits.waitMs({ address: client }) || undefined : soonMs);
    if (waitMs !== undefined) {
      exchange.refuse(429, tooManyCalls(), ['retry-after', String(Math.ceil(waitMs / 1_000))]);
      return;
    }
    const answers = body.items.map((item) => dispatcher.answer(item));
    const send = (known: readonly Answer[]) => {
      sendAnswers(exchange, responseLimits, known, encodeAnswers(body, known, idOf));
    };
    if (areKnown(answers)) {
      send(answers);
      return;
    }
    underWay.begin(client, calls);
    void allOf(answers).then((known) => {
      underWay.end(client, calls);
      send(known);
    });
  };
}

/** What is not UTF-8 is not JSON. No text is none either. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  // Where the bytes are no UTF-8 the text has replacement characters.
  return !text.includes('\uFFFD') || isUtf8(bytes) ? text : '';
}

/** A promise of all, and one for each, would be felt where there is one call, as there mostly is. */
function allOf(answers: readonly (Answer | Promise<Answer>)[]): Promise<readonly Answer[]> {
  const [only] = answers;
  if (answers.length === 1 && only !== undefined && 'then' in only) return only.then((answer) => [answer]);
  return Promise.all(answers.map((answer) => Promise.resolve(answer)));
}

function areKnown(answers: readonly (Answer | Promise<Answer>)[]): answers is readonly Answer[] {
  return answers.every((answer) => !('then' in answer));
}

/**
 * With 429 or 503 if the memory did not suffice for any answer. If it did for some, they may be of writes, which must not be sent
 * again: the others have an error in the batch.
 */
function sendAnswers(
  exchange: Exchange,
  limits: ResponseLimits,
  answers: readonly Answer[],
  { texts, origins }: EncodedAnswers,
): void {
  const { refusal } = exchange.allowance;
  if (texts.length === 0) {
    exchange.sendNothing();
  } else if (refusal === undefined) {
    exchange.send(200, texts, origins);
  } else {
    limits.countRefused();
    const isRefused = answers.every(({ outcome }) => outcome === 'too-long');
    exchange.send(isRefused ? refusalStatus[refusal] : 200, texts, [...origins, ...retryLater]);
  }
}

const retryLater = ['retry-after', String(Math.ceil(refusedRetryAfterMs / 1_000))];

function refuseForMemory(exchange: Exchange, limits: ResponseLimits, refusal: BudgetRefusal, headers: HeaderList) {
  limits.countRefused();
  exchange.refuse(refusalStatus[refusal], tooMuchUnread(), [...headers, ...retryLater]);
}
