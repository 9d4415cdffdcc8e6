import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { handleInTurn } from './handle-in-turn';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let socket: Socket;
let respond: Respond;
/** The URLs of the requests that were handled. */
let handled: string[];

beforeEach(async () => {
  handled = [];
  server = createServer((request, response) => {
    handled.push(request.url ?? '');
    respond(request, response);
  });
  handleInTurn(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').resume();
});
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: waggle\r\n\r\n`;
const post = (url: string, body: string) =>
  `POST ${url} HTTP/1.1\r\nHost: waggle\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

it('handles pipelined requests one after the other', async () => {
  const responses: ServerResponse[] = [];
  let requested: () => void = () => undefined;
  respond = (_request, response) => {
    responses.push(response);
    requested();
  };
  for (const count of [1, 2, 3]) {
    const next = new Promise<void>((resolve) => (requested = resolve));
    if (count === 1) socket.write(get('/1') + get('/2') + get('/3'));
    else responses.at(-1)?.end();
    await next;
    expect(handled).toHaveLength(count);
  }
  expect(handled).toEqual(['/1', '/2', '/3']);
});

const others = get('/2') + get('/3');

it.each<[string, string, Respond]>([
  ['by a header', get('/1') + others, (_request, response) => response.writeHead(200, { connection: 'close' }).end()],
  [
    'by a raw header, without reading the body',
    post('/1', 'x'.repeat(40_000)) + others,
    (request, response) => {
      request.pause();
      setImmediate(() => response.writeHead(413, ['connection', 'close', 'content-length', '0']).end());
    },
  ],
  [
    'because it shuts down',
    get('/1') + others,
    (_request, response) => {
      response.shouldKeepAlive = false;
      setImmediate(() => response.end());
    },
  ],
  ['because a request is malformed', `${get('/1')}${others}nonsense\r\n\r\n`, () => undefined],
])('handles no further request of a connection that the server closes %s', async (_how, text, respondFirst) => {
  respond = (request, response) => {
    if (request.url === '/1') respondFirst(request, response);
    else response.end();
  };
  socket.write(text);
  await once(socket, 'close');
  expect(handled).toEqual(['/1']);
});
