import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import {
  addressRules,
  validateCanonicalCidr,
  validateCanonicalIp,
  validateNonSpecialIp,
} from './address-rules.ts';

const rules = (strict: boolean) => addressRules({ dialect: orch, features: { enabled: () => strict } });

test('unspecified, loopback and link-local addresses are rejected', () => {
  const refused = {
    '0.0.0.0': 'unspecified (0.0.0.0)',
    '::': 'unspecified (::)',
    '127.1.2.3': 'loopback',
    '::1': 'loopback',
    '169.254.9.9': 'link-local range',
    'febf::1': 'link-local range',
    '224.0.0.251': 'link-local multicast',
    'ff12::1': 'link-local multicast',
    '::ffff:127.0.0.1': 'loopback',
  };
  for (const [text, why] of Object.entries(refused)) {
    assert.equal(validateNonSpecialIp(text).length, 1, text);
    assert.ok(validateNonSpecialIp(text)[0]!.includes(why), text);
  }
  for (const text of ['224.0.1.1', '10.0.0.1', '2001:db8::1', 'fec0::1'])
    assert.deepEqual(validateNonSpecialIp(text), []);
});

test('a non-canonical address is rejected with the canonical form', () => {
  assert.deepEqual(validateCanonicalIp('2001:DB8::1'), ['must be in canonical form ("2001:db8::1")']);
  assert.deepEqual(validateCanonicalIp('010.0.0.1'), ['must not have leading 0s']);
  assert.deepEqual(validateCanonicalIp('::ffff:10.0.0.1'), ['must not be an IPv4-mapped IPv6 address']);
  assert.deepEqual(validateCanonicalCidr('2001:DB8::/32'), ['must be in canonical form ("2001:db8::/32")']);
  assert.deepEqual(validateCanonicalCidr('10.0.0.1/8'), ['must not have bits set beyond the prefix length']);
  assert.deepEqual(validateCanonicalCidr('10.0.0.0/08'), ['must not have leading 0s in IP or prefix length']);
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '/8', '10.0.0.0/+8', '::/129']) {
    assert.match(validateCanonicalCidr(text)[0]!, /^must be a valid CIDR value/);
  }
  for (const text of ['10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/64', '10.0.0.1/32']) {
    assert.deepEqual(validateCanonicalCidr(text), []);
  }
});

test('legacy fields accept non-canonical addresses with a warning, unless the feature gate rejects them', () => {
  for (const text of ['010.0.0.1', '::ffff:10.0.0.1']) {
    assert.deepEqual(rules(false).ip(text), []);
    assert.equal(rules(true).ip(text).length, 1);
    assert.deepEqual(rules(true).ip(text, new Set([text])), [], 'what was there before may stay');
    assert.match(
      rules(false).ipWarnings(text, 'a')[0]!,
      /^a: non-standard IP address .* a future Orch release/,
    );
  }
  for (const text of ['10.0.0.1/8', '010.0.0.0/8', '::ffff:10.0.0.0/104']) {
    assert.deepEqual(rules(false).cidr(text), []);
    assert.equal(rules(true).cidr(text).length, 1);
    assert.deepEqual(rules(true).cidr(text, new Set([text])), []);
  }
  assert.deepEqual(rules(false).cidrWarnings('10.0.0.1/8', 'a'), [
    'a: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
  assert.deepEqual(rules(true).cidrWarnings('2001:DB8::/32', 'a'), [
    'a: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
  ]);
});
