import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Client, clientFinder } from './client';

/** A request over a connection from `peer`. */
function requestFrom(peer: string, headers: IncomingMessage['headers'] = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}

const forwardedFor = (addresses: string) => ({ 'x-forwarded-for': addresses });

describe('the client of a request', () => {
  it('is the address that a trusted proxy forwards', () => {
    const clientOf = clientFinder({ trustedProxies: ['uniquelocal', '192.0.2.0/24'] });
    expect(clientOf(requestFrom('10.1.2.3', forwardedFor('198.51.100.7')))).toEqual(new Client('198.51.100.7'));
    const addresses = '203.0.113.1, 198.51.100.7, 10.0.0.1';
    expect(clientOf(requestFrom('192.0.2.9', forwardedFor(addresses)))).toEqual(new Client('198.51.100.7'));
  });

  it('is the address of the connection if no trusted proxy opened it', () => {
    const forwarded = forwardedFor('198.51.100.7');
    expect(clientFinder({ trustedProxies: ['uniquelocal'] })(requestFrom('203.0.113.5', forwarded)).address).toBe(
      '203.0.113.5',
    );
    expect(clientFinder({ trustedProxies: [] })(requestFrom('10.1.2.3', forwarded)).address).toBe('10.1.2.3');
  });
});

describe('a named client', () => {
  const tokenSha256 = [createHash('sha256').update('a secret token').digest('hex')];
  const bot = { name: 'bot', addresses: [], tokenSha256, limits: { 'requests-per-minute': 9 } };
  const server = {
    name: 'server',
    addresses: ['203.0.113.0/24', '2001:db8::7'],
    tokenSha256: [],
    limits: { 'requests-per-minute': 5 },
  };
  const clientOf = clientFinder({ trustedProxies: ['loopback'], namedClients: [bot, server] });
  const clientFrom = (address: string, token?: string) =>
    clientOf(
      requestFrom('127.0.0.1', { ...forwardedFor(address), ...(token !== undefined && { 'x-api-key': token }) }),
    );
  const requestLimitOf = (client: Client) => [
    client.keyFor('requests-per-minute'),
    client.maxOf('requests-per-minute'),
  ];

  it.each(['203.0.113.9', '203.0.113.9:49152', '::ffff:203.0.113.200', '2001:db8::7', '[2001:db8::7]:443'])(
    'is found by the address %s',
    (address) => {
      expect(requestLimitOf(clientFrom(address))).toEqual([',server', 5]);
    },
  );

  it.each(['203.0.114.9', '2001:db8:1::8', 'unknown', ',server'])('is not found by the address %s', (address) => {
    const [key, max] = requestLimitOf(clientFrom(address));
    expect([key === ',server', max]).toEqual([false, undefined]);
  });

  it('is found by its token at any address, before the address', () => {
    for (const address of ['198.51.100.7', '203.0.113.9']) {
      expect(requestLimitOf(clientFrom(address, 'a secret token'))).toEqual([',bot', 9]);
    }
    expect(requestLimitOf(clientFrom('203.0.113.9', 'another token'))).toEqual([',server', 5]);
    expect(clientFrom('198.51.100.7', tokenSha256[0])).toEqual(new Client('198.51.100.7'));
  });

  it('counts by its address for a limit that is not its own', () => {
    const client = clientFrom('203.0.113.9');
    expect([client.keyFor('logins-per-minute'), client.maxOf('logins-per-minute')]).toEqual(['203.0.113.9', undefined]);
  });
});
