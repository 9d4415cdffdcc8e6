import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { frameworkCode, restErrorBody, type ErrorBody } from '../errors/rest-error-body';
import { writeCommonHeaders } from './common-headers';

/** Handles URLs that cannot be decoded: they match no route, so no hook or filter sees them. */
export function rejectUrl(errorBody: ErrorBody) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    writeCommonHeaders(request, reply);
    const body = restErrorBody(400, 'invalid-request', 'the URL cannot be decoded', request.id);
    void reply.status(400).send(errorBody(body));
  };
}

/** Statuses and messages for requests that Node's parser aborts; other errors mean that it is not HTTP. */
const unreadable = (maxHeaderBytes: number): Record<string, { status: number; message: string }> => ({
  HPE_HEADER_OVERFLOW: { status: 431, message: `URL and headers are longer than ${maxHeaderBytes / 1024} KiB` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
});
const malformedRequest = { status: 400, message: 'not a readable HTTP request' };

/** A socket with the response that Node is sending over it. Node's own handler of `clientError` uses it, too. */
type SendingSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Handles incomplete or invalid requests: they have no reply object, so the response is written to the socket, unless
 * that would corrupt another one in progress.
 */
export function rejectUnparsable(errorBody: ErrorBody, maxHeaderBytes: number) {
  const known = unreadable(maxHeaderBytes);
  return (error: Error & { code?: string }, socket: SendingSocket) => {
    if (socket._httpMessage?.headersSent === true) socket.destroy();
    if (!socket.writable) return;
    const { status, message } = known[error.code ?? ''] ?? malformedRequest;
    const id = randomUUID();
    const body = JSON.stringify(errorBody(restErrorBody(status, frameworkCode(status), message, id)));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
