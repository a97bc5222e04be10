// Warning headers: quoting, truncation and encoding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warnings.ts';

test('warningHeaders quotes and escapes', () => {
  assert.deepEqual(warningHeaders(['unknown field "a\\b"']), ['299 - "unknown field \\"a\\\\b\\""']);
});

test('warningHeaders omits duplicates', () => {
  assert.deepEqual(warningHeaders(['a', 'b', 'a']), ['299 - "a"', '299 - "b"']);
});

test('warningHeaders does not truncate 4096 characters', () => {
  const [header] = warningHeaders(['x'.repeat(4096)]);
  assert.equal(header?.length, 4096 + '299 - ""'.length);
});

test('beyond 4096 characters warningHeaders truncates each text to 256 and drops the rest', () => {
  assert.equal(warningHeaders(['x'.repeat(5000), 'b'])[0], `299 - "${'x'.repeat(256)}"`);
  assert.deepEqual(warningHeaders(['x'.repeat(5000), 'b']).slice(1), ['299 - "b"']);
  const many = Array.from({ length: 20 }, (_, i) => `${String.fromCharCode(97 + i)}${'x'.repeat(500)}`);
  assert.equal(warningHeaders(many).length, 16);
});

test('warningHeaders removes control characters', () => {
  assert.deepEqual(warningHeaders(['a\r\nSet-Cookie: x\0']), ['299 - "a  Set-Cookie: x "']);
});

test('warningHeaders counts characters, not bytes, and encodes UTF-8', () => {
  const [header = ''] = warningHeaders(['\u{1F600}'.repeat(5000)]);
  const text = Buffer.from(header, 'latin1').toString('utf8');
  assert.equal(text, `299 - "${'\u{1F600}'.repeat(256)}"`);
});

test('warningHeaders reads no more of very many texts than it sends', () => {
  let read = 0;
  const many = new Proxy<string[]>([], {
    get: (target, key) => {
      if (key === 'length') return 1_000_000;
      if (typeof key === 'symbol') return Reflect.get(target, key);
      read++;
      return `${key}${'x'.repeat(300)}`;
    },
  });
  assert.equal(warningHeaders(many).length, 16);
  assert.ok(read < 100, String(read));
});
