import { type Server } from 'node:http';
import { invalidRequest, internalError, type RpcError, tooManyCalls } from '@waggle/contracts';
import { addressKey, type Logger, requestId } from '@waggle/service';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Answer, memberOfError } from './answer';
import { type CallLimit } from './call-limit';
import { headersFor, type WriteHeaders } from './common-headers';
import { type Body, decodeBody } from './decode';
import { type Dispatcher } from './dispatcher';
import { encodeAnswer, encodeAnswers, idAsText, writeOrigins } from './encode';

/** A transaction has at most 64 KiB, and a batch of reads far less. */
const bodyMostBytes = 1024 * 1024;

export interface EndpointOptions {
  readonly dispatcher: Dispatcher;
  /** Of calls by address. */
  readonly limit: CallLimit;
  readonly logger: Logger;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly isDraining: () => boolean;
}

/** What is posted there is for these endpoints. */
const paths = new Set(['/', '/rpc', '/rpc/', '/rpc/home', '/rpc/home/']);

/**
 * The endpoints of JSON-RPC, in a Fastify of their own beside the application's. The hooks of Nest, and those by which the
 * application writes headers and times requests, took longer than all that is done for a call whose answer is known: here
 * calls are timed and not requests. The body is read by JSON-RPC's rules, whatever type it is said to have (curl says that
 * it is a form), and what is wrong with it is answered by JSON-RPC's.
 */
export function createEndpoints(options: EndpointOptions): FastifyInstance {
  const { logger, corsOrigins, trustedProxies, isDraining } = options;
  const writeHeaders = headersFor(corsOrigins, isDraining);
  const endpoints = fastify({
    bodyLimit: bodyMostBytes,
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true },
  });
  endpoints.removeAllContentTypeParsers();
  // By its name too: of what matches `*` alone the type is parsed each time.
  endpoints.addContentTypeParser(['application/json', '*'], { parseAs: 'string' }, (_request, body, parsed) => {
    parsed(null, body);
  });
  endpoints.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, rpcError } = faultOf(error);
    if (status === 500) logger.error({ err: error, requestId: request.id }, 'unhandled error');
    writeHeaders(request, reply);
    sendError(reply, status, rpcError);
  });
  endpoints.post(
    '/rpc',
    answerBody(options, writeHeaders, (id) => id),
  );
  endpoints.post('/rpc/home', answerBody(options, writeHeaders, idAsText));
  // By the interface's own words: who posts here is told nothing.
  endpoints.post('/', (request, reply) => {
    writeHeaders(request, reply);
    sendJson(reply, '{}');
  });
  return endpoints;
}

/** Lets the endpoints answer what is posted to their paths at a server, and the server's own listeners all else. */
export async function mountEndpoints(server: Server, endpoints: FastifyInstance): Promise<void> {
  await endpoints.ready();
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    if (request.method === 'POST' && paths.has(path)) endpoints.routing(request, response);
    else for (const listener of others) listener.call(server, request, response);
  });
}

function answerBody({ dispatcher, limit }: EndpointOptions, writeHeaders: WriteHeaders, idOf: (id: string) => string) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const body = decodeBody(typeof request.body === 'string' ? request.body : '');
    writeHeaders(request, reply);
    const waitMs = limit.count(addressKey(request.ip), body.items.length);
    if (waitMs !== undefined) {
      void reply.header('retry-after', Math.ceil(waitMs / 1_000));
      sendError(reply, 429, tooManyCalls());
      return;
    }
    const answers = body.items.map((item) => dispatcher.answer(item));
    const send = (all: readonly Answer[]) => {
      sendAnswers(reply, body, all, idOf);
    };
    if (areKnown(answers)) send(answers);
    else void Promise.all(answers.map((answer) => Promise.resolve(answer))).then(send);
  };
}

function areKnown(answers: readonly (Answer | Promise<Answer>)[]): answers is readonly Answer[] {
  return answers.every((answer) => !('then' in answer));
}

function sendAnswers(
  reply: FastifyReply,
  { items, isBatch }: Body,
  answers: readonly Answer[],
  idOf: (id: string) => string,
): void {
  const answered = items.flatMap(({ id }, place) => {
    const answer = answers[place];
    return id === undefined || answer === undefined ? [] : [{ id: idOf(id), answer }];
  });
  if (answered.length === 0) {
    void reply.status(204).send();
    return;
  }
  writeOrigins(reply, answered);
  const texts = encodeAnswers(answered);
  sendJson(reply, isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''));
}

function sendError(reply: FastifyReply, status: number, error: RpcError): void {
  sendJson(reply.status(status), encodeAnswer(memberOfError(error), 'null'));
}

function sendJson(reply: FastifyReply, text: string): void {
  void reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

function faultOf(error: FastifyError): { status: number; rpcError: RpcError } {
  const { code, statusCode = 500 } = error;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { status: 413, rpcError: invalidRequest(`the body is longer than ${bodyMostBytes} bytes`) };
  if (statusCode >= 500) return { status: 500, rpcError: internalError(error) };
  return { status: statusCode, rpcError: invalidRequest('the body cannot be read') };
}
