import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientAt, clientFinder } from './client';

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
    expect(clientOf(requestFrom('10.1.2.3', forwardedFor('198.51.100.7')))).toEqual(clientAt('198.51.100.7'));
    const addresses = '203.0.113.1, 198.51.100.7, 10.0.0.1';
    expect(clientOf(requestFrom('192.0.2.9', forwardedFor(addresses)))).toEqual(clientAt('198.51.100.7'));
  });

  it('is the address of the connection if no trusted proxy opened it', () => {
    const forwarded = forwardedFor('198.51.100.7');
    expect(clientFinder({ trustedProxies: ['uniquelocal'] })(requestFrom('203.0.113.5', forwarded)).key).toBe(
      '203.0.113.5',
    );
    expect(clientFinder({ trustedProxies: [] })(requestFrom('10.1.2.3', forwarded)).key).toBe('10.1.2.3');
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

  it.each(['203.0.113.9', '203.0.113.9:49152', '::ffff:203.0.113.200', '2001:db8::7', '[2001:db8::7]:443'])(
    'is found by the address %s',
    (address) => {
      expect(clientFrom(address)).toMatchObject({ key: '#server', limits: server.limits });
    },
  );

  it.each(['203.0.114.9', '2001:db8::8', 'unknown', '#server'])('is not found by the address %s', (address) => {
    expect(clientFrom(address).limits).toEqual({});
  });

  it('is found by its token at any address, before the address', () => {
    for (const address of ['198.51.100.7', '203.0.113.9']) {
      expect(clientFrom(address, 'a secret token')).toEqual({ key: '#bot', address, limits: bot.limits });
    }
    expect(clientFrom('203.0.113.9', 'another token').key).toBe('#server');
    expect(clientFrom('198.51.100.7', tokenSha256[0])).toEqual(clientAt('198.51.100.7'));
  });
});
