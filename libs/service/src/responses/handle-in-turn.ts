import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** More than any client sends on one connection without having received a response. */
const maxWaiting = 15;

/** The requests of a connection that wait until the response before them is sent. */
type Waiting = (() => void)[];

/**
 * Handles the requests of each connection one after the other, and closes a connection on which too many wait. Node would dispatch all
 * requests of a read of up to 64 KiB at once, some thousand, and compute responses that nobody reads. A waiting request costs nothing, and
 * is dropped when the connection closes.
 *
 * To be called after the listeners of requests were added: those are called when it is the turn of a request.
 */
export function handleInTurn(server: Server): void {
  const connections = new WeakMap<Socket, Waiting>();
  const listeners = server.listeners('request');
  server.removeAllListeners('request');

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const handle = () => {
      response.once('close', () => {
        beginNext(socket, response);
      });
      for (const listener of listeners) listener.call(server, request, response);
    };
    const waiting = connections.get(socket);
    if (waiting === undefined) {
      connections.set(socket, []);
      handle();
    } else if (waiting.length < maxWaiting) waiting.push(handle);
    else socket.destroy();
  });

  function beginNext(socket: Socket, { shouldKeepAlive }: ServerResponse): void {
    // After the last response of a connection nothing more can be answered on it.
    const next = socket.destroyed || !shouldKeepAlive ? undefined : connections.get(socket)?.shift();
    if (next === undefined) connections.delete(socket);
    else next();
  }
}
