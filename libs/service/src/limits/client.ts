import { createHash } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { addressKey, ipAddressIn } from './address-key';
import { type NamedClient } from './client-settings';
import { type ClientLimitName } from '../errors/limit-names';

/** Its own limits, by name. The settings apply to the others. */
export type OwnLimits = Readonly<Partial<Record<ClientLimitName, number>>>;

/** The client of a request: one that `CLIENT_LIMITS` names, or any address. */
export interface Client {
  /** The key by which its limits count. */
  readonly key: string;
  /** The key of its address (`addressKey`), by which memory is limited whatever the client. */
  readonly address: string;
  readonly limits: OwnLimits;
}

/** Finds the client of a request. */
export type ClientOf = (request: IncomingMessage) => Client;

interface ClientOptions {
  /** Addresses and subnets of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly namedClients?: readonly NamedClient[];
}

/** The client of an address that has no limits of its own. @param address a key of `addressKey` */
export function clientAt(address: string): Client {
  return { key: address, address, limits: none };
}

const none: OwnLimits = {};

/** Creates the function that finds the client of a request: by its token, otherwise by its address. */
export function clientFinder({ trustedProxies, namedClients = [] }: ClientOptions): ClientOf {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const addressOf = (request: IncomingMessage) =>
    trustedProxies.length === 0 ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
  if (namedClients.length === 0) return (request) => clientAt(addressKey(addressOf(request)));
  const byToken = new Map(namedClients.flatMap((client) => client.tokenSha256.map((hash) => [hash, client])));
  const byAddress = namedClients.map((client) => ({ client, includes: proxyAddress.compile(client.addresses) }));
  return (request) => {
    const text = addressOf(request) ?? '';
    const address = addressKey(text);
    const { 'x-api-key': token } = request.headers;
    const ip = ipAddressIn(text);
    const named =
      (typeof token === 'string' ? byToken.get(sha256(token)) : undefined) ??
      (ip === undefined ? undefined : byAddress.find(({ includes }) => includes(ip, 0))?.client);
    // The prefix distinguishes it from the key of an address.
    return named === undefined ? clientAt(address) : { key: `#${named.name}`, address, limits: named.limits };
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
