import { isIP, isIPv6 } from 'node:net';

/** No address is longer, but a proxy may forward anything. */
const maxAddressLength = 45;

/**
 * The key of an address in limits: an IPv4 address, the /64 prefix of an IPv6 address (one subscriber usually has all
 * of it), or the IPv4 address of an IPv4-mapped one (`::ffff:192.0.2.1`). A port, which some proxies append, is
 * removed; otherwise each connection would count as another caller. Text that is not an address is its own key.
 *
 * @param address undefined if the peer is already disconnected
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'gone';
  // Most addresses have no colon, which saves the slow checks for IPv6.
  if (!address.includes(':')) return address.slice(0, maxAddressLength);
  const bare = withoutPort(address);
  if (!isIPv6(bare)) return bare.slice(0, maxAddressLength);
  const groups = groupsOf(bare);
  return mappedAddress(groups) ?? `${hexadecimal(groups.slice(0, 4))}::/64`;
}

/** The IPv4 address in an IPv4-mapped one: 80 zero bits, 16 one bits and the address. Undefined for any other. */
function mappedAddress(groups: readonly number[]): string | undefined {
  if (hexadecimal(groups.slice(0, 6)) !== '0:0:0:0:0:ffff') return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function hexadecimal(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}

/** The IP address without port and zone; undefined if the text, which a proxy may forward, is not one. */
export function ipAddressIn(text: string): string | undefined {
  const bare = withoutPort(text);
  return isIP(bare) === 0 ? undefined : bare;
}

function withoutPort(address: string): string {
  const [, v6, v4] = withPort.exec(address) ?? [];
  // A zone, as in fe80::1%eth0, names a local interface.
  const [bare = ''] = (v6 ?? v4 ?? address).split('%', 1);
  return bare;
}

/** `[2001:db8::1]:49152`, `192.0.2.1:49152`. */
const withPort = /^(?:\[([^\]]{2,45})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/;

/** The eight groups of 16 bits of an IPv6 address. `::` stands for as many zeros as are missing. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const first = groupsIn(head);
  if (tail === undefined) return first;
  const last = groupsIn(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** The groups of a part without `::`. An IPv4 address at the end is two groups. */
function groupsIn(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** Whether the text is an IP address or a CIDR range. A range /0 is not: it contains every address. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}
