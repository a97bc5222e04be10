import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalIp, parseIp } from './ip-address.ts';

test('IPv6 addresses have one canonical form', () => {
  const forms = {
    '2001:DB8::1': '2001:db8::1',
    '1:0:0:0:0:0:0:2': '1::2',
    '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '1:0:2:3:4:5:6:7': '1:0:2:3:4:5:6:7',
    '0:0:0:0:0:0:0:0': '::',
    '1::': '1::',
    '::1.2.3.4': '::102:304',
    '10.0.0.1': '10.0.0.1',
  };
  for (const [text, canonical] of Object.entries(forms)) assert.equal(canonicalIp(text), canonical);
});

test('leading zeros, zones and mapped addresses are refused', () => {
  assert.deepEqual(parseIp('010.1.1.1'), { problem: 'must not have leading 0s' });
  assert.deepEqual(parseIp('::ffff:1.2.3.4'), { problem: 'must not be an IPv4-mapped IPv6 address' });
  for (const text of ['', 'x', '1.2.3', '256.1.1.1', 'fe80::1%eth0', '1::2::3']) {
    assert.deepEqual(parseIp(text), { problem: 'not an address' });
  }
});

test('addresses that lead nowhere useful are recognized', () => {
  const kinds = {
    '0.0.0.0': 'isUnspecified',
    '::': 'isUnspecified',
    '127.1.2.3': 'isLoopback',
    '::1': 'isLoopback',
    '169.254.9.9': 'isLinkLocal',
    'febf::1': 'isLinkLocal',
    '224.0.0.251': 'isLinkLocalMulticast',
    'ff12::1': 'isLinkLocalMulticast',
  };
  for (const [text, kind] of Object.entries(kinds)) {
    const flags = Object.entries(parseIp(text)).filter(([, value]) => value);
    assert.deepEqual(flags, [[kind, true]], text);
  }
  assert.ok(Object.values(parseIp('224.0.1.1')).every((value) => value === false));
});
