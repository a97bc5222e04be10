import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyPairKeyObjectResult, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { CertificateBuilder } from './certificate-maker.ts';
import type { KeyPair } from './certificates.ts';
import { ClusterSigner } from './cluster-signer.ts';
import { makeRequest } from './signing-request.fixture.ts';
import { readSigningRequest } from './signing-request.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const now = Date.parse('2030-01-01T00:00:00Z');
const wish = { usages: ['client auth'] };

async function authority({ privateKey, publicKey }: KeyPairKeyObjectResult): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const certificate = maker.selfSigned(privateKey, {
    subject: [[['2.5.4.3', 'some-authority']]],
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    validity: { from: now, until: now + 30 * day },
    extensions: [
      maker.extension(maker.x509.id_ce_basicConstraints, new maker.x509.BasicConstraints({ cA: true }), true),
    ],
  });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

test('an authority signs with any of the usual keys', async () => {
  for (const keys of [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('ed25519'),
  ]) {
    const pair = await authority(keys);
    const signed = await new ClusterSigner(pair, day).sign(readSigningRequest(makeRequest()), wish, now);
    const certificate = new X509Certificate(signed);
    const issuer = new X509Certificate(pair.certificate);
    assert.ok(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  }
});

test('a certificate lasts as long as asked for, within what the signer gives and the authority has left', async () => {
  const pair = await authority(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const lasts = async (longest: number, life?: number, at = now) => {
    const signer = new ClusterSigner(pair, longest);
    const asked = { ...wish, ...(life !== undefined && { life }) };
    const signed = await signer.sign(readSigningRequest(makeRequest()), asked, at);
    const { validFrom, validTo } = new X509Certificate(signed);
    return [at - Date.parse(validFrom), Date.parse(validTo) - at];
  };
  const backdated = 5 * 60_000;
  assert.deepEqual(await lasts(10 * day), [backdated, 10 * day - backdated]);
  assert.deepEqual(await lasts(10 * day, hour), [backdated, hour]);
  assert.deepEqual(await lasts(10 * day, 9 * hour), [backdated, 9 * hour - backdated]);
  assert.deepEqual(await lasts(10 * day, 11 * day), [backdated, 10 * day - backdated]);
  assert.deepEqual(await lasts(10 * day, 60_000), [backdated, 600_000]);
  assert.deepEqual(await lasts(400 * day), [backdated, 30 * day]);
  await assert.rejects(lasts(day, undefined, now + 31 * day), /has expired/);
});

test('nothing that is logged of a signer shows its key', async () => {
  const pair = await authority(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const signer = new ClusterSigner(pair, day);
  const shown = inspect(signer, { depth: 10, showHidden: true }) + JSON.stringify(signer);
  assert.doesNotMatch(shown, /PRIVATE|KeyObject/);
});
