// Tests of IP addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIp, parseIp } from './ip-address.ts';

test('formatIp prints the canonical notation of an address', () => {
  const canonicalByText = {
    '2001:DB8::1': '2001:db8::1',
    '1:0:0:0:0:0:0:2': '1::2',
    '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '1:0:2:3:4:5:6:7': '1:0:2:3:4:5:6:7',
    '0:0:0:0:0:0:0:0': '::',
    '1::': '1::',
    '::1.2.3.4': '::102:304',
    '10.0.0.1': '10.0.0.1',
    '010.0.0.1': '10.0.0.1',
    '::ffff:1.2.3.4': '1.2.3.4',
    '::ffff:102:304': '1.2.3.4',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  };
  for (const [text, canonical] of Object.entries(canonicalByText))
    assert.equal(formatIp(parseIp(text)!), canonical, text);
});

test('parseIp reports leading zeros and IPv4-mapped addresses', () => {
  assert.partialDeepStrictEqual(parseIp('010.1.1.1'), { hasLeadingZeros: true, isIPv4Mapped: false });
  assert.partialDeepStrictEqual(parseIp('::ffff:1.2.3.4'), {
    family: 'IPv4',
    hasLeadingZeros: false,
    isIPv4Mapped: true,
  });
  assert.partialDeepStrictEqual(parseIp('::ffff:1.2.03.4'), { hasLeadingZeros: true, isIPv4Mapped: true });
  assert.partialDeepStrictEqual(parseIp('::1'), { family: 'IPv6', value: 1n, isIPv4Mapped: false });
});

test('parseIp returns undefined for text that is not an address', () => {
  const texts = [
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    'fe80::1%eth0',
    '1::2::3',
    '1.2.3.4/8',
    '+1.2.3.4',
    ':',
  ];
  for (const text of [...texts, '1'.repeat(1000)]) assert.equal(parseIp(text), undefined, text);
});
