import { type IncomingMessage } from 'node:http';
import { compile, proxyAddr } from '@fastify/proxy-addr';
import { addressKey } from '@waggle/service';

/**
 * Under what the calls of a client are counted: its address, which proxies that are trusted say in `X-Forwarded-For`.
 *
 * @param trustedProxies addresses and subnets, as the rest of the application trusts them
 */
export function clientKeyFor(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => addressKey(socket.remoteAddress);
  const trusts = compile([...trustedProxies]);
  return (request) => addressKey(proxyAddr(request, trusts));
}
