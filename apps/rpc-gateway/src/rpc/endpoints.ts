import { answersTooLong, internalError, invalidRequest, type RpcError, tooManyCalls } from '@waggle/contracts';
import { addressKey, type Logger, type RateLimiter, ServiceError } from '@waggle/service';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Answer, memberOfError } from './answer';
import { decodeBody } from './decode';
import { type Dispatcher } from './dispatcher';
import { encodeAnswer, headersOf, idAsText } from './encode';

/** A transaction has at most 64 KiB, and a batch of reads far less. */
export const bodyMostBytes = 1024 * 1024;

/** All answers to one body together, in characters: it must not fill the memory. */
const answersMost = 32 * 1024 * 1024;

/** Headers of ours that pages on other origins may read. */
const exposedHeaders = 'X-Request-Id, Retry-After, X-Gateway-Cache, X-Gateway-Attempts, Age';

export interface Endpoints {
  readonly dispatcher: Dispatcher;
  /** Calls by address. */
  readonly limit: RateLimiter;
  readonly logger: Logger;
}

/**
 * The endpoints of JSON-RPC, as routes of Fastify with parser and errors of their own: the body is read by JSON-RPC's
 * rules whatever type it is said to have, as dhive and curl leave it out, and what is wrong with it is answered by
 * JSON-RPC's. As methods of a Nest controller they answered a sixth fewer calls.
 */
export function addEndpoints(fastify: FastifyInstance, endpoints: Endpoints): void {
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyMostBytes }, (_request, body, parsed) => {
      parsed(null, body);
    });
    scope.setErrorHandler(answerFault(endpoints.logger));
    scope.post(
      '/rpc',
      answerBody(endpoints, (id) => id),
    );
    scope.post('/rpc/home', answerBody(endpoints, idAsText));
    // By the interface's own words: who posts here is not told anything.
    scope.post('/', async (request, reply) => {
      await endpoints.limit.consume(addressKey(request.ip));
      return sendJson(reply, '{}');
    });
    done();
  });
}

function answerBody({ dispatcher, limit }: Endpoints, idOf: (id: string) => string) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { items, isBatch } = decodeBody(typeof request.body === 'string' ? request.body : '');
    await limit.consume(addressKey(request.ip), items.length);
    const answers = await Promise.all(items.map((item) => dispatcher.answer(item)));
    const answered = items.flatMap(({ id }, index) => {
      const answer = answers[index];
      return id === undefined || answer === undefined ? [] : [{ id: idOf(id), answer }];
    });
    if (answered.length === 0) return reply.status(204).send();
    void reply.headers(headersOf(answered.map(({ answer }) => answer)));
    const texts = encodeWithin(answersMost, answered);
    return sendJson(reply, isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''));
  };
}

/** @param most characters of all answers together; who comes later is refused */
function encodeWithin(most: number, answered: readonly { id: string; answer: Answer }[]): string[] {
  let length = 0;
  return answered.map(({ id, answer }) => {
    length += answer.member.length;
    return encodeAnswer(length <= most ? answer : { member: memberOfError(answersTooLong()) }, id);
  });
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  if (reply.hasHeader('Access-Control-Allow-Origin'))
    void reply.header('Access-Control-Expose-Headers', exposedHeaders);
  return reply.header('Content-Type', 'application/json; charset=utf-8').send(text);
}

/** What is wrong with the request itself is an error of JSON-RPC too, under the status that HTTP has for it. */
function answerFault(logger: Logger) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const { status, rpcError } = faultOf(error);
    if (error instanceof ServiceError && error.details.retryAfterMs !== undefined)
      void reply.header('Retry-After', Math.ceil(error.details.retryAfterMs / 1_000));
    if (status === 500) logger.error({ err: error, requestId: request.id }, 'unhandled error');
    void sendJson(reply.status(status), encodeAnswer({ member: memberOfError(rpcError) }, 'null'));
  };
}

function faultOf(error: FastifyError): { status: number; rpcError: RpcError } {
  const { code, message, statusCode = 500 } = error;
  if (code === 'rate-limited') return { status: 429, rpcError: tooManyCalls(message) };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { status: 413, rpcError: invalidRequest(`the body is longer than ${bodyMostBytes} bytes`) };
  if (statusCode >= 500) return { status: 500, rpcError: internalError(error) };
  return { status: statusCode, rpcError: invalidRequest('the body cannot be read') };
}
