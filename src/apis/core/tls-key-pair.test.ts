import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createCA } from '../../pki/issue.ts';
import { keyPairProblem } from './tls-key-pair.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();
const edKey = generateKeyPairSync('ed25519').privateKey.export(pem).toString();
const odd = '-----BEGIN ODD-----\nAAAA\n-----END ODD-----\n';

test('a certificate and its key are a pair, whatever else is in the files', async () => {
  const { certificate, key } = await createCA('test', Date.now());
  assert.equal(keyPairProblem(certificate, key), undefined);
  assert.equal(keyPairProblem(`text\n${odd}${certificate}`, `${odd}${key}`), undefined);
});

test('whatever keeps them from being a pair is named', async () => {
  const { certificate, key } = await createCA('test', Date.now());
  const problems: [string, string, string][] = [
    ['', key, 'tls: failed to find any PEM data in certificate input'],
    [
      key,
      key,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      odd,
      key,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [ODD]',
    ],
    [certificate, 'x', 'tls: failed to find any PEM data in key input'],
    [certificate, certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [
      certificate,
      odd,
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [ODD]',
    ],
    [odd.replaceAll('ODD', 'CERTIFICATE'), key, 'x509: malformed certificate'],
    [certificate, odd.replaceAll('ODD', 'PRIVATE KEY'), 'tls: failed to parse private key'],
    [certificate, edKey, 'tls: private key type does not match public key type'],
    [certificate, otherKey, 'tls: private key does not match public key'],
  ];
  for (const [first, second, problem] of problems) assert.equal(keyPairProblem(first, second), problem);
});
