import { createHash } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type ClientLimitName } from '../errors/limit-names';
import { addressKey, ipAddressIn } from './address-key';
import { type NamedClient } from './client-settings';

/** The client of a request: an address, perhaps with limits of its own from `CLIENT_LIMITS`. */
export class Client {
  /** @param address a key of `addressKey` */
  constructor(
    readonly address: string,
    private readonly named?: Pick<NamedClient, 'name' | 'limits'>,
  ) {}

  /** The client's own maximum; undefined if the setting applies. */
  maxOf(limit: ClientLimitName): number | undefined {
    return this.named?.limits[limit];
  }

  /** The key that a limit counts by: the name if the limit is the client's own, otherwise the address. */
  keyFor(limit: ClientLimitName): string {
    // No forwarded address contains a comma, since it divides them.
    return this.named?.limits[limit] === undefined ? this.address : `,${this.named.name}`;
  }
}

/** Finds the client of a request. */
export type ClientOf = (request: IncomingMessage) => Client;

interface ClientOptions {
  /** Addresses and subnets of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly namedClients?: readonly NamedClient[];
}

/** Creates the function that finds the client of a request: by its token, otherwise by its address. */
export function clientFinder({ trustedProxies, namedClients = [] }: ClientOptions): ClientOf {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const addressOf = (request: IncomingMessage) =>
    trustedProxies.length === 0 ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
  if (namedClients.length === 0) return (request) => new Client(addressKey(addressOf(request)));
  const byToken = new Map(namedClients.flatMap((client) => client.tokenSha256.map((hash) => [hash, client])));
  const byAddress = namedClients.map((client) => ({ client, includes: proxyAddress.compile(client.addresses) }));
  return (request) => {
    const text = addressOf(request) ?? '';
    const { 'x-api-key': token } = request.headers;
    const ip = ipAddressIn(text);
    const named =
      (typeof token === 'string' ? byToken.get(sha256(token)) : undefined) ??
      (ip === undefined ? undefined : byAddress.find(({ includes }) => includes(ip, 0))?.client);
    return new Client(addressKey(text), named);
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
