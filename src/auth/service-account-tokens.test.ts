// Tests of the claims and headers that invalidate a service account token with a valid signature.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import { InvalidCredentials } from '../request/authenticator.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { readSigningKey, signText } from './token-keys.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signingKey = readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'test');
const tokens = new ServiceAccountTokens(
  {
    signingKey,
    keys: [],
    issuers: ['https://issuer'],
    audiences: [],
    maxExpirationSeconds: 0,
    extendExpiration: false,
  },
  kubernetes,
);

function parse(header: object, claims: object) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'RS256', ...header })}.${encode({ iss: 'https://issuer', ...claims })}`;
  return tokens.parse(`${text}.${signText(signingKey, text)}`);
}

for (const crit of [['exp'], ['b64'], [], null]) {
  test(`a token with the critical extensions ${JSON.stringify(crit)} is invalid`, () => {
    assert.ok(!(parse({}, {}) instanceof InvalidCredentials));
    assert.ok(parse({ crit, b64: false }, {}) instanceof InvalidCredentials);
  });
}

for (const aud of [null, {}, 1, ['https://issuer', 1]]) {
  test(`a token with the audience ${JSON.stringify(aud)} is invalid`, () => {
    const parsed = parse({}, { aud });
    assert.ok(parsed instanceof InvalidCredentials);
    assert.equal(
      parsed.reason,
      'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience',
    );
  });
}
