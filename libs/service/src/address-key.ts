import { isIPv6 } from 'node:net';

/**
 * What a limit by address counts under: an IPv4 address whole, IPv6 by its /64, which one subscriber has whole, and IPv4
 * written as IPv6 (`::ffff:192.0.2.1`) as IPv4. The port that some proxies write behind it is left out: each connection would
 * be another caller. What is no address is its own key.
 *
 * @param address undefined where the peer has gone already
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'gone';
  // No address is longer; a proxy may hand on anything. The colon is looked for first: the tests for IPv6 are long ones.
  if (!address.includes(':')) return address.slice(0, 45);
  const [, v6, v4] = withPort.exec(address) ?? [];
  // A zone, as in fe80::1%eth0, names an interface of ours.
  const [bare = ''] = (v6 ?? v4 ?? address).split('%', 1);
  if (!isIPv6(bare)) return bare.slice(0, 45);
  const groups = groupsOf(bare);
  const [, , , , , mark = 0, high = 0, low = 0] = groups;
  const isMapped = mark === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** `[2001:db8::1]:49152`, `192.0.2.1:49152`. */
const withPort = /^(?:\[([^\]]{2,45})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/;

/** The eight groups of 16 bits. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const first = groupsIn(head);
  if (tail === undefined) return first;
  const last = groupsIn(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function groupsIn(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
