import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, createMetrics, type ResponseAllowance, ResponseLimits } from '@waggle/service';
import { until } from '@waggle/testing';
import { maxBodyBytes, readBody } from './read-body';

let server: Server;
let socket: Socket;
/** The bodies that were read. */
let bodies: (Buffer | undefined)[];
let allowance: ResponseAllowance;

beforeEach(async () => {
  bodies = [];
  const limits = new ResponseLimits({ totalBytes: 16 * maxBodyBytes, bytesPerSecond: 1e9 }, createMetrics());
  allowance = limits.allowanceFor({ client: new Client('a') });
  server = createServer((request) => {
    readBody(request, allowance, (body) => bodies.push(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
});
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('needs little more memory than the bytes of a body that arrives one byte at a time', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const take = allowance.take.bind(allowance);
  let taken = 0;
  allowance.take = (length) => {
    taken += length;
    return take(length);
  };
  const bytes = 256 * 1024;
  const raw = Buffer.from('1\r\nx\r\n'.repeat(bytes));
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  socket.write('POST / HTTP/1.1\r\nHost: waggle\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(raw);
  await until(() => taken === bytes);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(8 * 1024 * 1024);
  socket.write('0\r\n\r\n');
  await until(() => bodies.length === 1);
  expect(bodies[0]?.equals(Buffer.alloc(bytes, 'x'))).toBe(true);
});
