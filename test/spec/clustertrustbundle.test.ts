import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificatePem, malformedCertificates } from '../../src/pki/x509/malformed-certificates.fixture.ts';
import { authority, leaf, otherAuthority } from '../parity/corpus/certificates-data.ts';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const bundles = kind(http, '/apis/certificates.orch.io/v1alpha1/clustertrustbundles');
const of = (trustBundle: string) => ({ spec: { trustBundle } });
const ofSigner = (name: string, signerName: string) => ({ metadata: { name }, spec: { signerName } });

test('ClusterTrustBundle: trustBundle is required and holds only PEM certificates', async () => {
  await bundles.valid(of(authority + otherAuthority));
  for (const bad of ['', 'no PEM at all', authority.replaceAll('CERTIFICATE', 'PRIVATE KEY')]) {
    await bundles.invalid(of(bad), 'spec.trustBundle');
  }
  for (const [der] of Object.values(malformedCertificates)) {
    await bundles.invalid(of(certificatePem(der)), 'spec.trustBundle', /does not parse as X\.509/);
  }
});

test('ClusterTrustBundle: the CA flag is required; duplicates and PEM headers are rejected', async () => {
  await bundles.invalid(of(leaf), 'spec.trustBundle', /does not have the CA bit set/);
  await bundles.invalid(of(authority + authority), 'spec.trustBundle', /duplicate trust anchor/);
  const header = authority.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\nWho: me\n\n');
  await bundles.invalid(of(header), 'spec.trustBundle', /has PEM block headers/);
});

test('ClusterTrustBundle: with a signer the name is the signer, slashes as colons, a colon and a suffix', async () => {
  await bundles.valid(ofSigner('example.com:foo:one', 'example.com/foo'));
  for (const bad of ['one', 'example.com:bar:one', 'example.com:foo', 'example.com:foo:']) {
    await bundles.invalid(ofSigner(bad, 'example.com/foo'), 'metadata.name');
  }
});

test('ClusterTrustBundle: without a signer the name has no such prefix', async () => {
  await bundles.valid({ metadata: { name: 'one' } });
  await bundles.invalid({ metadata: { name: 'example.com:foo:one' } }, 'metadata.name');
});

test('ClusterTrustBundle: a signer may have several bundles, and list and watch select by spec.signerName', async () => {
  await bundles.create(ofSigner('example.com:foo:one', 'example.com/foo'));
  await bundles.create(ofSigner('example.com:foo:two', 'example.com/foo'));
  await bundles.create(ofSigner('example.com:bar:one', 'example.com/bar'));
  const chosen = `${bundles.collection}?fieldSelector=spec.signerName%3Dexample.com/foo`;
  const { body } = await http.get(chosen);
  const names = ['example.com:foo:one', 'example.com:foo:two'];
  assert.deepEqual(
    body.items.map(({ metadata }) => metadata.name),
    names,
  );
  const watch = await http.watch(`${chosen}&watch=1&timeoutSeconds=1`);
  assert.deepEqual(
    (await watch.rest()).map(({ object }) => object.metadata.name),
    names,
  );
});
