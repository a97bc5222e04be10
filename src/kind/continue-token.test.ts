import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContinueToken, writeContinueToken } from './continue-token.ts';

const encode = (text: string) => Buffer.from(text).toString('base64url');

test('decoding a continue token returns the encoded values', () => {
  const token = { revision: 12, after: 'ns/name' };
  assert.deepEqual(readContinueToken(writeContinueToken(token, 'meta.example'), 'meta.example'), token);
});

for (const [text, reason] of [
  ['!!', 'illegal base64 data at input byte 0'],
  [encode('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [encode('{"v":1}'), 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
  [encode('{"v":"x"}'), 'server does not recognize this encoded version x'],
  [encode('{"v":"m/v1","rv":0,"start":"a"}'), 'incorrect encoded start resourceVersion (version m/v1)'],
  [encode('{"v":"m/v1","rv":1,"start":""}'), 'encoded start key empty (version m/v1)'],
  [encode('{"v":"m/v1","rv":1,"start":"../a"}'), '../a'],
  [encode('{"v":"m/v1","rv":1,"start":"a//b"}'), 'a//b'],
] as const) {
  test(`an invalid continue token is rejected: ${reason}`, () => {
    assert.throws(() => readContinueToken(text, 'm'), {
      code: 400,
      message: `invalid continue token: continue key is not valid: ${reason}`,
    });
  });
}
