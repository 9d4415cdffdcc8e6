import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Event streams of Node's own server: a head, and a comment every 15 s. There are no checks and no events. */
const streams = new Set<ServerResponse>();

const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n');
  streams.add(response);
  request.once('close', () => streams.delete(response));
});
setInterval(() => {
  for (const stream of streams) stream.write(':\n\n');
}, 15_000);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
