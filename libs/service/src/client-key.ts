import { type IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { addressKey } from './address-key';

/**
 * Returns a function that returns the key by which limits count the client of a request without a Fastify request: its address, which
 * trusted proxies send in `X-Forwarded-For`.
 *
 * @param trustedProxies addresses and subnets, as of `createApplication`
 */
export function clientKeyFor(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => addressKey(socket.remoteAddress);
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => addressKey(proxyAddress(request, isTrusted));
}
