import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** More than any client sends on one connection without having read a response. */
const maxUnanswered = 16;

/** The last response of a connection, and how many were begun while an earlier one was unfinished. */
interface Pipeline {
  last: ServerResponse;
  unfinished: number;
}

/**
 * Closes a connection on which too many requests are unanswered, and ignores those that follow. Node dispatches all requests of a
 * read of up to 64 KiB at once, some thousand, and keeps their responses, which are too small to be counted, for as long as the client
 * reads none.
 *
 * To be called after the listeners of requests were added: those are only called for requests that are handled.
 */
export function limitPipelining(server: Server): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!joinPipeline(pipelines, socket, response)) socket.destroy();
    if (socket.destroyed) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** @returns whether the connection may have one more unanswered request */
function joinPipeline(pipelines: WeakMap<Socket, Pipeline>, socket: Socket, response: ServerResponse): boolean {
  const pipeline = pipelines.get(socket);
  if (pipeline === undefined) {
    pipelines.set(socket, { last: response, unfinished: 0 });
    return true;
  }
  const isPipelined = !pipeline.last.writableFinished;
  pipeline.last = response;
  if (!isPipelined) return true;
  pipeline.unfinished += 1;
  response.once('finish', () => (pipeline.unfinished -= 1));
  return pipeline.unfinished < maxUnanswered;
}
