import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { until } from '@waggle/testing';
import { attackerAddresses } from './addresses';
import { getText, holdResponses } from './hold-responses';

const unread = 'x'.repeat(5_000_000);
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it('leaves responses unread, each address at its own rate, and ends with the attack', async () => {
  const from: string[] = [];
  const held = new Set<object>();
  server = createServer((request, response) => {
    from.push(request.socket.remoteAddress ?? '');
    held.add(response);
    response.on('close', () => held.delete(response)).end(unread);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const over = new AbortController();
  const counts = new Map<string, number>();
  const attack = holdResponses(
    { url, texts: [getText(url, '/')], addresses: attackerAddresses(200, 2), burst: 3, perSecond: 1_000, maxOpen: 4 },
    { signal: over.signal, rate: 1, count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1) },
  );
  await until(() => counts.get('status 200') === 8);
  expect(held.size).toBe(8);
  expect(new Set(from)).toEqual(new Set(['127.1.200.1', '127.1.200.2']));
  over.abort();
  await attack;
  expect(counts.get('requests')).toBe(8);
  await until(() => held.size === 0);
});
