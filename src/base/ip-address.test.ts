// Tests of IP addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ipText, readIp } from './ip-address.ts';

test('an address has one canonical form', () => {
  const forms = {
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
  for (const [text, canonical] of Object.entries(forms)) assert.equal(ipText(readIp(text)!), canonical, text);
});

test('what is odd about how an address is written is seen', () => {
  assert.partialDeepStrictEqual(readIp('010.1.1.1'), { hasLeadingZeros: true, isMapped: false });
  assert.partialDeepStrictEqual(readIp('::ffff:1.2.3.4'), {
    family: 'IPv4',
    hasLeadingZeros: false,
    isMapped: true,
  });
  assert.partialDeepStrictEqual(readIp('::ffff:1.2.03.4'), { hasLeadingZeros: true, isMapped: true });
  assert.partialDeepStrictEqual(readIp('::1'), { family: 'IPv6', value: 1n, isMapped: false });
});

test('texts that are no addresses', () => {
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
  for (const text of [...texts, '1'.repeat(1000)]) assert.equal(readIp(text), undefined, text);
});
