// Tests of the keys of service account tokens.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import {
  jsonWebKeySet,
  readSigningKey,
  readVerificationKeys,
  signText,
  verifySignature,
} from './token-keys.ts';

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: { export(options: object): string | Buffer }, type = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString();

test('the type of a key determines its algorithm', () => {
  const pairs = [rsa, ec('P-256'), ec('P-384'), ec('P-521')];
  const keys = pairs.map(({ privateKey }) => readSigningKey(pem(privateKey), 'k'));
  assert.deepEqual(
    keys.map(({ algorithm }) => algorithm),
    ['RS256', 'ES256', 'ES384', 'ES512'],
  );
  for (const key of keys) {
    const signature = signText(key, 'text');
    assert.equal(verifySignature(key, 'text', signature), true);
    assert.equal(verifySignature(key, 'other', signature), false);
    assert.equal(verifySignature(key, 'text', ''), false);
  }
});

test('a file may contain several public or private keys and EC parameters', () => {
  const other = ec('P-256');
  const file = `${pem(rsa.publicKey, 'spki')}-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pem(other.privateKey, 'sec1')}`;
  const keys = readVerificationKeys(file, 'f');
  assert.deepEqual(
    keys.map(({ algorithm }) => algorithm),
    ['RS256', 'ES256'],
  );
  assert.equal(keys[1]!.id, readSigningKey(pem(other.privateKey), 'k').id);
});

test('errors about a key do not contain it', () => {
  assert.throws(() => readSigningKey('secret', 'k.pem'), {
    message: 'k.pem contains a PEM key that cannot be parsed',
  });
  assert.throws(() => readVerificationKeys('secret', 'k.pem'), { message: 'k.pem contains no PEM keys' });
  const edwards = generateKeyPairSync('ed25519');
  assert.throws(() => readSigningKey(pem(edwards.privateKey), 'k.pem'), {
    message: 'k.pem contains a key that is neither RSA nor ECDSA',
  });
});

test('the JSON Web Key Set contains public parameters only', () => {
  const text = JSON.stringify(jsonWebKeySet([readSigningKey(pem(rsa.privateKey), 'k')]));
  assert.deepEqual(Object.keys(JSON.parse(text).keys[0]), ['use', 'kty', 'kid', 'alg', 'n', 'e']);
});
