import { describe, expect, test } from 'vitest';
import { AddressGrants, readGrant } from '../../../src/egress/gate/address-grants.ts';
import { judgeAddress, type AddressPolicy } from '../../../src/egress/gate/address-guard.ts';
import { parseIpAddress } from '../../../src/egress/gate/ip-address.ts';

function policy(grants: readonly string[] = [], closedPorts: readonly number[] = []): AddressPolicy {
  const granted = new AddressGrants();
  for (const text of grants) {
    const match = /^(.*?)(?: port (\d+))?$/.exec(text);
    granted.add(readGrant({ cidr: match?.[1] ?? '', port: match?.[2] === undefined ? null : Number(match[2]) }));
  }
  return {
    grants: granted,
    closedPorts: new Set(closedPorts),
    closedEndpoints: [],
  };
}

function rangeOf(address: string, port = 80, rules = policy()): string {
  const judgement = judgeAddress(address, port, rules);
  return judgement.kind === 'allowed' ? 'allowed' : judgement.range;
}

describe('an address without a grant', () => {
  test.each([
    ['0.0.0.0', 'this network 0.0.0.0/8'],
    ['0.255.255.255', 'this network 0.0.0.0/8'],
    ['10.0.0.1', 'private 10.0.0.0/8'],
    ['10.255.255.255', 'private 10.0.0.0/8'],
    ['100.64.0.1', 'shared (carrier-grade NAT) 100.64.0.0/10'],
    ['100.100.100.200', 'shared (carrier-grade NAT) 100.64.0.0/10'],
    ['100.127.255.255', 'shared (carrier-grade NAT) 100.64.0.0/10'],
    ['127.0.0.1', 'loopback 127.0.0.0/8'],
    ['127.255.255.254', 'loopback 127.0.0.0/8'],
    ['168.63.129.16', 'cloud platform 168.63.129.16/32'],
    ['169.254.169.254', 'link-local 169.254.0.0/16'],
    ['172.16.0.1', 'private 172.16.0.0/12'],
    ['172.31.255.255', 'private 172.16.0.0/12'],
    ['192.0.0.192', 'IETF protocol assignments 192.0.0.0/24'],
    ['192.0.2.1', 'documentation 192.0.2.0/24'],
    ['192.88.99.1', '6to4 relay 192.88.99.0/24'],
    ['192.168.1.1', 'private 192.168.0.0/16'],
    ['198.18.0.1', 'benchmarking 198.18.0.0/15'],
    ['198.19.255.255', 'benchmarking 198.18.0.0/15'],
    ['198.51.100.7', 'documentation 198.51.100.0/24'],
    ['203.0.113.7', 'documentation 203.0.113.0/24'],
    ['224.0.0.1', 'multicast 224.0.0.0/4'],
    ['239.255.255.250', 'multicast 224.0.0.0/4'],
    ['240.0.0.1', 'reserved 240.0.0.0/4'],
    ['255.255.255.255', 'reserved 240.0.0.0/4'],
    ['::', 'unspecified ::/128'],
    ['::1', 'loopback ::1/128'],
    ['[::1]', 'loopback ::1/128'],
    ['::127.0.0.1', 'IPv4-compatible ::/96'],
    ['::ffff:127.0.0.1', 'loopback 127.0.0.0/8'],
    ['::ffff:a00:1', 'private 10.0.0.0/8'],
    ['64:ff9b::7f00:1', 'NAT64 64:ff9b::/96, within it loopback 127.0.0.0/8'],
    ['64:ff9b::169.254.169.254', 'NAT64 64:ff9b::/96, within it link-local 169.254.0.0/16'],
    ['64:ff9b:1::1', 'local NAT64 64:ff9b:1::/48'],
    ['100::1', 'discard-only 100::/64'],
    ['2001::1', 'Teredo 2001::/32'],
    ['2001:2::1', 'IETF protocol assignments 2001::/23'],
    ['2001:db8::1', 'documentation 2001:db8::/32'],
    ['2002:7f00:1::', '6to4 2002::/16, within it loopback 127.0.0.0/8'],
    ['2002:a00:1::1', '6to4 2002::/16, within it private 10.0.0.0/8'],
    ['3fff::1', 'documentation 3fff::/20'],
    ['5f00::1', 'segment routing 5f00::/16'],
    ['fc00::1', 'unique local fc00::/7'],
    ['fd00:ec2::254', 'unique local fc00::/7'],
    ['fe80::1', 'link-local fe80::/10'],
    ['fec0::1', 'site-local fec0::/10'],
    ['ff02::1', 'multicast ff00::/8'],
    ['4000::1', 'outside global unicast 2000::/3'],
    ['1::1', 'outside global unicast 2000::/3'],
    ['fe80::1%eth0', 'not an IP address'],
    ['example.org', 'not an IP address'],
    ['127.1', 'not an IP address'],
    ['', 'not an IP address'],
  ])('%s is refused as %s', (address, range) => {
    expect(rangeOf(address)).toBe(range);
  });

  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:200::1',
    '2a00:1450:4001:80b::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::1',
  ])('%s is allowed', (address) => {
    expect(rangeOf(address)).toBe('allowed');
  });

  test.each([
    ['0', '0.0.0.0'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['①②⑦.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ])('the host %s of a URL is read as %s by the one parser and refused', (host, read) => {
    const { hostname } = new URL(`http://${host}/`);
    expect(hostname).toBe(read);
    expect(rangeOf(hostname)).not.toBe('allowed');
  });
});

describe('a port', () => {
  test.each([80, 443, 1024, 3000, 8080, 8443, 49_152, 65_535])('%i is open on a public address', (port) => {
    expect(rangeOf('1.1.1.1', port)).toBe('allowed');
  });

  test.each([
    0,
    -1,
    1,
    21,
    22,
    25,
    53,
    79,
    81,
    110,
    444,
    1023,
    1720,
    2049,
    5060,
    6000,
    6666,
    10_080,
    65_536,
    1.5,
    Number.NaN,
  ])('%d is refused on a public address', (port) => {
    expect(rangeOf('1.1.1.1', port)).toBe(`port ${port}`);
  });

  test('a closed one is refused on loopback whatever is granted, in every spelling of loopback', () => {
    const rules = policy(['127.0.0.1 port 6379', '127.0.0.0/8', '::1', '0.0.0.0', '::'], [6379]);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::']) {
      expect(rangeOf(address, 6379, rules)).toMatch(/^closed port 6379 of /);
      expect(rangeOf(address, 6378, rules)).toBe('allowed');
    }
    expect(rangeOf('1.1.1.1', 6379, rules)).toBe('allowed');
  });
});

describe('a grant', () => {
  test('of an address and a port allows that port alone, even a low one', () => {
    const rules = policy(['127.0.0.1 port 81']);
    expect(rangeOf('127.0.0.1', 81, rules)).toBe('allowed');
    expect(rangeOf('::ffff:127.0.0.1', 81, rules)).toBe('allowed');
    expect(rangeOf('127.0.0.1', 80, rules)).toBe('loopback 127.0.0.0/8');
    expect(rangeOf('127.0.0.2', 81, rules)).toBe('loopback 127.0.0.0/8');
  });

  test('of a network without a port allows the ports that are open anyway', () => {
    const rules = policy(['10.0.0.0/8', 'fd00::/8']);
    expect(rangeOf('10.200.0.1', 8080, rules)).toBe('allowed');
    expect(rangeOf('fd12::1', 443, rules)).toBe('allowed');
    expect(rangeOf('10.200.0.1', 22, rules)).toBe('port 22');
    expect(rangeOf('11.0.0.1', 22, rules)).toBe('port 22');
    expect(rangeOf('192.168.0.1', 80, rules)).toBe('private 192.168.0.0/16');
  });

  test('of an IPv4 address does not reach through translators', () => {
    expect(rangeOf('64:ff9b::7f00:1', 80, policy(['127.0.0.1']))).not.toBe('allowed');
    expect(rangeOf('2002:7f00:1::', 80, policy(['127.0.0.1']))).not.toBe('allowed');
  });

  test('of a wide network does not open a metadata service, its own address does', () => {
    expect(rangeOf('169.254.169.254', 80, policy(['169.254.0.0/16', '0.0.0.0/0']))).not.toBe('allowed');
    expect(rangeOf('fd00:ec2::254', 80, policy(['fd00::/8']))).not.toBe('allowed');
    expect(rangeOf('169.254.169.254', 80, policy(['169.254.169.254']))).toBe('allowed');
    // the same service behind the translators of a network
    expect(rangeOf('64:ff9b::a9fe:a9fe', 80, policy(['64:ff9b::/96']))).not.toBe('allowed');
    expect(rangeOf('2002:a9fe:a9fe::1', 80, policy(['::/0']))).not.toBe('allowed');
    expect(rangeOf('64:ff9b::a9fe:a9fe', 80, policy(['64:ff9b::a9fe:a9fe']))).toBe('allowed');
    expect(rangeOf('64:ff9b::a00:1', 80, policy(['64:ff9b::/96']))).toBe('allowed');
  });

  test('is found among many, by networks of all lengths', () => {
    const grants = new AddressGrants();
    for (let host = 0; host < 5000; host += 1)
      grants.add(readGrant({ cidr: `10.1.${host >> 8}.${host & 255}`, port: 8000 }));
    for (const cidr of ['10.2.0.0/16', '10.3.7.0/24', 'fd00::/8', 'fd00::1'])
      grants.add(readGrant({ cidr, port: null }));
    const many: AddressPolicy = { grants, closedPorts: new Set(), closedEndpoints: [] };
    const allowed = [
      ['10.1.19.135', 8000],
      ['10.1.0.0', 8000],
      ['10.2.255.255', 443],
      ['10.3.7.9', 8080],
      ['fdff::5', 80],
    ] as const;
    for (const [address, port] of allowed) expect(rangeOf(address, port, many)).toBe('allowed');
    for (const address of ['10.1.19.136', '10.3.8.9', '10.4.0.1'])
      expect(rangeOf(address, 8000, many)).toBe('private 10.0.0.0/8');
    expect(rangeOf('10.1.19.135', 8001, many)).toBe('private 10.0.0.0/8');
    expect(rangeOf('fc00::1', 80, many)).toBe('unique local fc00::/7');
  });

  test.each(['10.0.0.0/33', 'fd00::/129', 'localhost', '10.0.0', '10.0.0.0/', '', 'fe80::1%lo'])(
    'of "%s" is a usage error',
    (cidr) => {
      expect(() => readGrant({ cidr, port: null })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );

  test('of a port that does not exist is a usage error', () => {
    expect(() => readGrant({ cidr: '10.0.0.1', port: 70_000 })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

test.each([
  ['::', 0n],
  ['1::', 1n << 112n],
  ['::1:2', (1n << 16n) | 2n],
  ['1:2:3:4:5:6:7:8', 0x0001000200030004000500060007_0008n],
  ['1:2:3:4:5:6:1.2.3.4', 0x0001000200030004000500060102_0304n],
  ['::1.2.3.4', 0x01020304n],
])('%s is read as 128 bits', (text, value) => {
  expect(parseIpAddress(text)).toEqual({ family: 6, value });
});
