import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  algorithms,
  extensionRequest,
  keyPairs,
  makeRequest,
  type RequestOptions,
  relativeDistinguishedName,
  subjectAltNames,
  value,
} from './signing-request.fixture.ts';
import { parseSigningRequest } from './signing-request.ts';

const problem = (der: Buffer): string => {
  try {
    parseSigningRequest(der);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const requestError = (options: RequestOptions) => problem(makeRequest(options));

test('parseSigningRequest returns the organizations of the subject', () => {
  const { organizations } = parseSigningRequest(makeRequest({ organizations: ['one', 'zwölf'] }));
  assert.deepEqual(organizations, ['one', 'zwölf']);
});

test('RSA, ECDSA, Ed25519 and RSASSA-PSS signatures verify', () => {
  const rsa = keyPairs.rsa();
  assert.equal(requestError({ keys: keyPairs.ec384() }), '');
  assert.equal(requestError({ algorithm: algorithms.ecdsaSha1, hash: 'sha1' }), '');
  assert.equal(requestError({ keys: keyPairs.ed25519(), algorithm: algorithms.ed25519, hash: null }), '');
  assert.equal(requestError({ keys: rsa, algorithm: algorithms.rsaSha256 }), '');
  assert.equal(requestError({ keys: rsa, algorithm: algorithms.rsaSha1, hash: 'sha1' }), '');
  assert.equal(requestError({ keys: rsa, algorithm: algorithms.pssSha256, isPss: true }), '');
});

test('unsupported keys and invalid signatures are rejected', () => {
  const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';
  assert.equal(requestError({ keys: keyPairs.otherCurve() }), 'x509: unsupported elliptic curve');
  assert.equal(
    requestError({ keys: keyPairs.ed448(), algorithm: algorithms.ed448, hash: null }),
    unimplemented,
  );
  const rsa = keyPairs.rsa();
  assert.equal(
    requestError({ keys: rsa, algorithm: algorithms.rsaMd5, hash: 'md5' }),
    'x509: cannot verify signature: insecure algorithm MD5-RSA',
  );
  assert.match(
    requestError({ keys: keyPairs.rsa(512), algorithm: algorithms.rsaSha256 }),
    /^crypto\/rsa: 512-bit keys are insecure/,
  );
  assert.equal(
    requestError({ keys: rsa }),
    'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
  );
  assert.equal(
    requestError({ keys: rsa, algorithm: algorithms.rsaSha256, hash: 'sha1' }),
    'crypto/rsa: verification error',
  );
  assert.equal(requestError({ hash: 'sha1' }), 'x509: ECDSA verification failure');
});

test('malformed subjects and subject alternative names are rejected', () => {
  const dns = (name: string) => value(0x82, Buffer.from(name, 'latin1'));
  assert.equal(
    requestError({
      attributes: extensionRequest(subjectAltNames(dns('a.example.com'), value(0x87, Buffer.alloc(4)))),
    }),
    '',
  );
  assert.equal(
    requestError({ attributes: extensionRequest(subjectAltNames(dns('\xff'))) }),
    'x509: SAN dNSName is malformed',
  );
  assert.equal(
    requestError({ attributes: extensionRequest(subjectAltNames(value(0x87, Buffer.alloc(5)))) }),
    'x509: cannot parse IP address of length 5',
  );
  assert.equal(
    requestError({ attributes: extensionRequest(subjectAltNames(), subjectAltNames()) }),
    'x509: certificate request contains duplicate requested extensions',
  );
  const subject = (tag: number, text: string) =>
    value(0x30, relativeDistinguishedName('55040a', value(tag, Buffer.from(text, 'latin1'))));
  assert.equal(
    requestError({ subject: subject(0x13, 'a@b') }),
    'asn1: syntax error: PrintableString contains invalid character',
  );
  assert.equal(requestError({ subject: subject(0x0c, '\xff') }), 'asn1: invalid UTF-8 string');
  const bmp = parseSigningRequest(makeRequest({ subject: subject(0x1e, '\0a\0b') }));
  assert.deepEqual(bmp.organizations, ['ab']);
});

test('a signing request with too many attributes is rejected', () => {
  const attributes = Buffer.alloc(2 * 10_001, Buffer.from([5, 0]));
  assert.equal(requestError({ attributes }), 'asn1: structure error: too many elements');
});

test("malformed requests are rejected with the messages of Go's encoding/asn1", () => {
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

test('any changed byte of a request gives a DerError or no error', () => {
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
