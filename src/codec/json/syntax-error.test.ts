// Tests of JSON syntax error messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './parse.ts';

const messages: Record<string, string> = {
  '': 'unexpected end of JSON input',
  '{"a":': 'unexpected end of JSON input',
  '"abc': 'unexpected end of JSON input',
  '{a:1}': "invalid character 'a' looking for beginning of object key string",
  "{'a':1}": "invalid character '\\'' looking for beginning of object key string",
  '{"a":1,}': "invalid character '}' looking for beginning of object key string",
  '{"a" 1}': "invalid character '1' after object key",
  '{"a":1 "b":2}': "invalid character '\"' after object key:value pair",
  '[1 2]': "invalid character '2' after array element",
  '{}x': "invalid character 'x' after top-level value",
  '{"a":}': "invalid character '}' looking for beginning of value",
  '[1,]': "invalid character ']' looking for beginning of value",
  '{"a":01}': "invalid character '1' after object key:value pair",
  '[-x]': "invalid character 'x' in numeric literal",
  '[1.x]': "invalid character 'x' after decimal point in numeric literal",
  '[1e+x]': "invalid character 'x' in exponent of numeric literal",
  '[trux]': "invalid character 'x' in literal true (expecting 'e')",
  nul: "invalid character ' ' in literal null (expecting 'l')",
  '"\\x"': "invalid character 'x' in string escape code",
  '"\\u12g4"': "invalid character 'g' in \\u hexadecimal character escape",
  '"\n"': "invalid character '\\n' in string literal",
  '"\x01"': "invalid character '\\x01' in string literal",
  '[é]': "invalid character 'Ã' looking for beginning of value",
  '[€]': "invalid character 'â' looking for beginning of value",
};

for (const [text, message] of Object.entries(messages)) {
  test(`${JSON.stringify(text)} is rejected with the message of Go's encoding/json`, () => {
    assert.throws(() => parseJson(text), { message });
  });
}
