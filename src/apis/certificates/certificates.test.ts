import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authority,
  leaf,
  otherAuthority,
  signingRequest,
} from '../../../test/parity/corpus/certificates-data.ts';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import {
  certificatePem,
  goodCertificate,
  malformedCertificates,
} from '../../pki/x509/malformed-certificates.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { certificatesigningrequests } from './certificatesigningrequest-definition.ts';
import { clustertrustbundles } from './clustertrustbundle.ts';

const context = { dialect: orch, features: everyFeature };
const bundles = clustertrustbundles(context);
const requests = certificatesigningrequests(context);

const bundle = (trustBundle: string, signerName = '', name = 'n') =>
  tryCreate(bundles, { metadata: { name }, spec: { trustBundle, signerName } }).problems;
const refused = (why: string) => [`spec.trustBundle: Invalid value: "<value omitted>": ${why}`];

test('ClusterTrustBundle: only PEM certificate blocks that parse as X.509 certificates', () => {
  assert.deepEqual(bundle(authority + otherAuthority), []);
  assert.deepEqual(bundle(''), refused('at least one trust anchor must be provided'));
  const request = Buffer.from(signingRequest, 'base64').toString();
  assert.deepEqual(bundle(request), refused('entry 0 has bad block type: CERTIFICATE REQUEST'));
  const garbage = '-----BEGIN CERTIFICATE-----\neHh4\n-----END CERTIFICATE-----\n';
  assert.deepEqual(bundle(garbage), refused('entry 0 does not parse as X.509'));
});

test('ClusterTrustBundle: damaged certificates are rejected', () => {
  assert.deepEqual(bundle(certificatePem(goodCertificate)), []);
  for (const [damage, [der]] of Object.entries(malformedCertificates)) {
    const why = refused('entry 1 does not parse as X.509');
    assert.deepEqual(bundle(authority + certificatePem(der)), why, damage);
  }
});

test('ClusterTrustBundle: a block that does not begin a line is no block', () => {
  assert.deepEqual(bundle(`words ${authority}`), refused('at least one trust anchor must be provided'));
});

test('ClusterTrustBundle: each certificate has the CA flag set', () => {
  assert.deepEqual(bundle(authority + leaf), refused('entry 1 does not have the CA bit set'));
});

test('ClusterTrustBundle: duplicate certificates are rejected', () => {
  assert.deepEqual(bundle(authority + authority), refused('duplicate trust anchor (indices [0 1])'));
});

test('ClusterTrustBundle: PEM block headers are rejected', () => {
  const withHeader = authority.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\nFoo: bar\n\n');
  assert.deepEqual(bundle(withHeader), refused('entry 0 has PEM block headers'));
});

test('ClusterTrustBundle: what stands between the blocks is left alone', () => {
  assert.deepEqual(bundle(`some words\n${authority}\nmore words`), []);
});

test('ClusterTrustBundle: with a signer the name begins with it, without one it must not', () => {
  assert.deepEqual(bundle(authority, 'example.com/foo', 'example.com:foo:bar'), []);
  assert.match(bundle(authority, 'example.com/foo', 'bar')[0]!, /must be named with prefix example.com:foo:/);
  assert.match(bundle(authority, '', 'example.com:foo:bar')[0]!, /must not have ":" in its name/);
});

test('ClusterTrustBundle: spec.signerName can be selected, and does not change', () => {
  const spec = { trustBundle: authority, signerName: 'example.com/foo' };
  const metadata = { name: 'example.com:foo:bar' };
  const { object } = tryCreate(bundles, { metadata, spec });
  assert.deepEqual(bundles.selectableFields?.(object), { 'spec.signerName': 'example.com/foo' });
  const moved = { metadata, spec: { ...spec, signerName: 'example.com/other' } };
  assert.match(tryUpdate(bundles, { metadata, spec }, moved).problems.join(), /field is immutable/);
});

const spec = { request: signingRequest, signerName: 'example.com/s', usages: ['client auth'] };
const request = (changes: object) => tryCreate(requests, { spec: { ...spec, ...changes } }).problems;

test('CertificateSigningRequest: spec.signerName is required, and the legacy signer cannot be asked', () => {
  assert.deepEqual(request({}), []);
  assert.deepEqual(request({ signerName: '' }), ['spec.signerName: Required value']);
  assert.deepEqual(request({ signerName: 'orch.io/legacy-unknown' }), [
    'spec.signerName: Invalid value: "orch.io/legacy-unknown": the legacy signerName is not allowed via this API version',
  ]);
});

test('CertificateSigningRequest: spec.usages is required, has no duplicates and known values only', () => {
  assert.deepEqual(request({ usages: [] }), ['spec.usages: Required value']);
  assert.deepEqual(request({ usages: ['any', 'any'] }), ['spec.usages[1]: Duplicate value: "any"']);
  assert.match(request({ usages: ['baking'] })[0]!, /Unsupported value: "baking"/);
});

test('CertificateSigningRequest: a create clears spec.username of the client', () => {
  const { object } = tryCreate(requests, { spec: { ...spec, username: 'somebody else' } });
  assert.equal(object.spec.username, '');
});

const approved = { type: 'Approved', status: 'True' };
const written = (status: object, subresource: string, before: object = {}) =>
  tryUpdate(requests, { spec, status: before }, { spec, status }, subresource).problems;

test('CertificateSigningRequest: status.conditions have a status, and no type twice', () => {
  assert.match(written({ conditions: [{ type: 'X' }] }, 'status')[0]!, /status: Required value/);
  const twice = {
    conditions: [
      { type: 'X', status: 'True' },
      { type: 'X', status: 'True' },
    ],
  };
  assert.match(written(twice, 'status')[0]!, /Duplicate value: "X"/);
});

test('CertificateSigningRequest: status.certificate is PEM with only CERTIFICATE blocks', () => {
  const certificate = Buffer.from(authority).toString('base64');
  assert.deepEqual(written({ certificate }, 'status'), []);
  assert.match(written({ certificate: signingRequest }, 'status')[0]!, /only CERTIFICATE PEM blocks/);
});

test('CertificateSigningRequest: damaged certificates in status.certificate are rejected', () => {
  const issued = (der: Buffer) =>
    written({ certificate: Buffer.from(certificatePem(der)).toString('base64') }, 'status');
  const refusal = (why: string) => [`status.certificate: Invalid value: "<certificate data>": ${why}`];
  assert.deepEqual(issued(Buffer.concat([goodCertificate, goodCertificate])), []);
  assert.deepEqual(issued(Buffer.alloc(0)), refusal('found CERTIFICATE PEM block containing 0 certificates'));
  for (const [damage, [der, problem]] of Object.entries(malformedCertificates)) {
    if (problem === 'x509: trailing data' || der.length === 0) continue;
    assert.deepEqual(issued(der), refusal(problem), damage);
  }
});

test('CertificateSigningRequest: only approval approves', () => {
  assert.deepEqual(written({ conditions: [approved] }, 'approval'), []);
  assert.match(
    written({ conditions: [approved] }, 'status')[0]!,
    /may not add a condition of type "Approved"/,
  );
});
