import { type IncomingMessage } from 'node:http';
import { compile, proxyAddr } from '@fastify/proxy-addr';
import { addressKey } from '@waggle/service';

/**
 * Returns a function that returns the key by which the limits count a client: its address, which trusted proxies send in
 * `X-Forwarded-For`.
 *
 * @param trustedProxies addresses and subnets, as for the rest of the application
 */
export function clientKeyFor(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => addressKey(socket.remoteAddress);
  const trusts = compile([...trustedProxies]);
  return (request) => addressKey(proxyAddr(request, trusts));
}
