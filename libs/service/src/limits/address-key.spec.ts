import { addressKey, ipAddressIn } from './address-key';

describe('addressKey', () => {
  it.each([
    ['an IPv4 address', '192.0.2.17', '192.0.2.17'],
    ['IPv4 as IPv6', '::ffff:192.0.2.17', '192.0.2.17'],
    ['IPv4 as IPv6 in hex', '::ffff:c000:211', '192.0.2.17'],
    ['IPv4 as IPv6 in full', '0:0:0:0:0:FFFF:192.0.2.17', '192.0.2.17'],
    ['IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['IPv6 with zeros left out at the end', '2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['IPv6 with zeros left out within', '2001:db8::6', '2001:db8:0:0::/64'],
    ['IPv6 with leading zeros', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['the loopback', '::1', '0:0:0:0::/64'],
    ['IPv6 with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['IPv6 that ends in an IPv4 address', '64:ff9b::192.0.2.17', '64:ff9b:0:0::/64'],
    ['an IPv4 address with a port', '192.0.2.17:49152', '192.0.2.17'],
    ['IPv6 with a port', '[2001:db8:1:2::1]:49152', '2001:db8:1:2::/64'],
    ['IPv6 in brackets', '[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['IPv6 whose last group could be a port', '2001:db8::49', '2001:db8:0:0::/64'],
    ['nobody', undefined, 'gone'],
    ['what is no address', 'unknown', 'unknown'],
    ['what is no address and long', 'x'.repeat(5_000), 'x'.repeat(45)],
  ])('of %s', (_what, address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is the same within a /64 and differs between two', () => {
    expect(addressKey('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(addressKey('2001:db8:1:2::1'));
    expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'));
  });
});

describe('ipAddressIn', () => {
  it.each([
    ['192.0.2.17', '192.0.2.17'],
    ['192.0.2.17:49152', '192.0.2.17'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:49152', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', undefined],
    ['x'.repeat(15_000), undefined],
  ])('of %s', (text, address) => {
    expect(ipAddressIn(text)).toBe(address);
  });
});
