import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyPairKeyObjectResult, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { CertificateBuilder } from './certificate-builder.ts';
import type { KeyPair } from './certificates.ts';
import { ClusterSigner } from './cluster-signer.ts';
import { makeRequest } from './signing-request.fixture.ts';
import { parseSigningRequest } from './signing-request.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const now = Date.parse('2030-01-01T00:00:00Z');
const options = { usages: ['client auth'] };

async function createTestCA({ privateKey, publicKey }: KeyPairKeyObjectResult): Promise<KeyPair> {
  const builder = await CertificateBuilder.load();
  const certificate = builder.selfSigned(privateKey, {
    subject: [[['2.5.4.3', 'some-ca']]],
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    validity: { from: now, until: now + 30 * day },
    extensions: [
      builder.extension(
        builder.x509.id_ce_basicConstraints,
        new builder.x509.BasicConstraints({ cA: true }),
        { isCritical: true },
      ),
    ],
  });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

test('ClusterSigner signs with an RSA, ECDSA or Ed25519 key', async () => {
  for (const keys of [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('ed25519'),
  ]) {
    const pair = await createTestCA(keys);
    const signed = await new ClusterSigner(pair, day).sign(parseSigningRequest(makeRequest()), options, now);
    const certificate = new X509Certificate(signed);
    const issuer = new X509Certificate(pair.certificate);
    assert.ok(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  }
});

test('the duration of a certificate is limited by the signer and by the expiry of the CA', async () => {
  const pair = await createTestCA(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const validity = async (maxDurationMs: number, durationMs?: number, signedAt = now) => {
    const signer = new ClusterSigner(pair, maxDurationMs);
    const requested = { ...options, ...(durationMs !== undefined && { durationMs }) };
    const signed = await signer.sign(parseSigningRequest(makeRequest()), requested, signedAt);
    const { validFrom, validTo } = new X509Certificate(signed);
    return [signedAt - Date.parse(validFrom), Date.parse(validTo) - signedAt];
  };
  const backdated = 5 * 60_000;
  assert.deepEqual(await validity(10 * day), [backdated, 10 * day - backdated]);
  assert.deepEqual(await validity(10 * day, hour), [backdated, hour]);
  assert.deepEqual(await validity(10 * day, 9 * hour), [backdated, 9 * hour - backdated]);
  assert.deepEqual(await validity(10 * day, 11 * day), [backdated, 10 * day - backdated]);
  assert.deepEqual(await validity(10 * day, 60_000), [backdated, 600_000]);
  assert.deepEqual(await validity(400 * day), [backdated, 30 * day]);
  await assert.rejects(validity(day, undefined, now + 31 * day), /has expired/);
});

test('a logged ClusterSigner does not contain its key', async () => {
  const pair = await createTestCA(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const signer = new ClusterSigner(pair, day);
  const logged = inspect(signer, { depth: 10, showHidden: true }) + JSON.stringify(signer);
  assert.doesNotMatch(logged, /PRIVATE|KeyObject/);
});
