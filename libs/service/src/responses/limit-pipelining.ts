import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** More than any client sends on one connection without having read a response. */
const maxUnanswered = 32;

/** The last response of a connection, and how many were begun while an earlier one was unfinished. */
interface Pipeline {
  last: ServerResponse;
  unfinished: number;
}

/**
 * Closes a connection on which too many requests are unanswered. Node handles all requests of a read of up to 64 KiB at once, some
 * thousand, and keeps their responses, which are too small to be counted, for as long as the client reads none.
 *
 * To be called after the other listeners of requests were added.
 */
export function limitPipelining(server: Server): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      pipelines.set(socket, { last: response, unfinished: 0 });
      return;
    }
    const isPipelined = !pipeline.last.writableFinished;
    pipeline.last = response;
    if (!isPipelined) return;
    pipeline.unfinished += 1;
    response.once('finish', () => (pipeline.unfinished -= 1));
    if (pipeline.unfinished >= maxUnanswered) socket.destroy();
  });
}
