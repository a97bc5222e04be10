import assert from 'node:assert/strict';
import { test } from 'node:test';
import { algorithms, makeRequest, type RequestMaking, someKeys } from './signing-request.fixture.ts';
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
      assert.match(problem(changed), /^$|^(asn1|x509|crypto\/rsa): /);
    }
    assert.match(problem(good.subarray(0, at)), /^asn1: /);
  }
});
