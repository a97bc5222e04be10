import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  algorithms,
  asking,
  makeRequest,
  namePart,
  otherNames,
  type RequestMaking,
  someKeys,
  value,
} from './signing-request.fixture.ts';
import { readSigningRequest } from './signing-request.ts';

const problem = (der: Buffer): string => {
  try {
    readSigningRequest(der);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const made = (making: RequestMaking) => problem(makeRequest(making));

test('a signing request tells the organizations of its subject', () => {
  const { organizations } = readSigningRequest(makeRequest({ organizations: ['one', 'zwölf'] }));
  assert.deepEqual(organizations, ['one', 'zwölf']);
});

test('a signing request may be signed with any of the usual keys', () => {
  const rsa = someKeys.rsa();
  assert.equal(made({ keys: someKeys.ec384() }), '');
  assert.equal(made({ algorithm: algorithms.ecdsaSha1, hash: 'sha1' }), '');
  assert.equal(made({ keys: someKeys.ed25519(), algorithm: algorithms.ed25519, hash: null }), '');
  assert.equal(made({ keys: rsa, algorithm: algorithms.rsaSha256 }), '');
  assert.equal(made({ keys: rsa, algorithm: algorithms.rsaSha1, hash: 'sha1' }), '');
  assert.equal(made({ keys: rsa, algorithm: algorithms.pssSha256, isPss: true }), '');
});

test('a signing request with a key or signature that is not good enough is refused', () => {
  const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';
  assert.equal(made({ keys: someKeys.otherCurve() }), 'x509: unsupported elliptic curve');
  assert.equal(made({ keys: someKeys.ed448(), algorithm: algorithms.ed448, hash: null }), unimplemented);
  const rsa = someKeys.rsa();
  assert.equal(
    made({ keys: rsa, algorithm: algorithms.rsaMd5, hash: 'md5' }),
    'x509: cannot verify signature: insecure algorithm MD5-RSA',
  );
  assert.match(
    made({ keys: someKeys.rsa(512), algorithm: algorithms.rsaSha256 }),
    /^crypto\/rsa: 512-bit keys are insecure/,
  );
  assert.equal(
    made({ keys: rsa }),
    'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
  );
  assert.equal(
    made({ keys: rsa, algorithm: algorithms.rsaSha256, hash: 'sha1' }),
    'crypto/rsa: verification error',
  );
  assert.equal(made({ hash: 'sha1' }), 'x509: ECDSA verification failure');
});

test('the names in a signing request are well written', () => {
  const dns = (name: string) => value(0x82, Buffer.from(name, 'latin1'));
  assert.equal(
    made({ attributes: asking(otherNames(dns('a.example.com'), value(0x87, Buffer.alloc(4)))) }),
    '',
  );
  assert.equal(made({ attributes: asking(otherNames(dns('\xff'))) }), 'x509: SAN dNSName is malformed');
  assert.equal(
    made({ attributes: asking(otherNames(value(0x87, Buffer.alloc(5)))) }),
    'x509: cannot parse IP address of length 5',
  );
  assert.equal(
    made({ attributes: asking(otherNames(), otherNames()) }),
    'x509: certificate request contains duplicate requested extensions',
  );
  const named = (tag: number, text: string) =>
    value(0x30, namePart('55040a', value(tag, Buffer.from(text, 'latin1'))));
  assert.equal(
    made({ subject: named(0x13, 'a@b') }),
    'asn1: syntax error: PrintableString contains invalid character',
  );
  assert.equal(made({ subject: named(0x0c, '\xff') }), 'asn1: invalid UTF-8 string');
  const wide = readSigningRequest(makeRequest({ subject: named(0x1e, '\0a\0b') }));
  assert.deepEqual(wide.organizations, ['ab']);
});

test('a signing request with values without number is refused', () => {
  const attributes = Buffer.alloc(2 * 10_001, Buffer.from([5, 0]));
  assert.equal(made({ attributes }), 'asn1: structure error: too many elements');
});

test('bytes that are no signing request are refused with what is wrong about them', () => {
  const syntax = (what: string) => `asn1: syntax error: ${what}`;
  const structure = (what: string) => `asn1: structure error: ${what}`;
  const good = makeRequest();
  const hex = (digits: string) => problem(Buffer.from(digits, 'hex'));
  assert.equal(hex(''), syntax('sequence truncated'));
  assert.equal(hex('30'), syntax('truncated tag or length'));
  assert.equal(hex('3000'), syntax('sequence truncated'));
  assert.equal(hex('30023000'), syntax('sequence truncated'));
  assert.equal(hex('3080'), syntax('indefinite length found (not DER)'));
  assert.equal(hex('308101'), structure('non-minimal length'));
  assert.equal(hex('308200ff'), structure('superfluous leading zeros in length'));
  assert.equal(hex('3084ffffffff'), structure('length too large'));
  assert.equal(hex('3006300402020001'), structure('integer not minimally-encoded'));
  assert.match(
    hex('020100'),
    /^asn1: structure error: tags don't match \(16 vs \{class:0 tag:2 length:1 .*certificateRequest @2$/,
  );
  assert.equal(problem(good.subarray(0, good.length - 1)), syntax('data truncated'));
  assert.equal(problem(Buffer.concat([good, Buffer.from([0])])), syntax('trailing data'));
});

test('no bytes make the reading of a signing request fail in another way', () => {
  const good = makeRequest({ organizations: ['one'] });
  for (let at = 0; at < good.length; at++) {
    for (const byte of [0x00, 0x1f, 0x55, 0x80, 0xff]) {
      const changed = Buffer.from(good);
      changed[at] = byte;
      assert.match(problem(changed), /^$|^(asn1|x509|ecdsa|crypto\/rsa): |^(invalid )?P\d+/);
    }
    assert.match(problem(good.subarray(0, at)), /^asn1: /);
  }
});
