// Warning headers: quoting, truncation and encoding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warnings.ts';

test('warningHeaders quotes and escapes', () => {
  assert.deepEqual(warningHeaders(['unknown field "a\\b"']), ['299 - "unknown field \\"a\\\\b\\""']);
});

test('warningHeaders says each text once', () => {
  assert.deepEqual(warningHeaders(['a', 'b', 'a']), ['299 - "a"', '299 - "b"']);
});

test('warningHeaders leaves 4096 characters as they are', () => {
  const [header] = warningHeaders(['x'.repeat(4096)]);
  assert.equal(header?.length, 4096 + '299 - ""'.length);
});

test('warningHeaders cuts every text to 256 once all together are longer, and drops what does not fit', () => {
  assert.equal(warningHeaders(['x'.repeat(5000), 'b'])[0], `299 - "${'x'.repeat(256)}"`);
  assert.deepEqual(warningHeaders(['x'.repeat(5000), 'b']).slice(1), ['299 - "b"']);
  const many = Array.from({ length: 20 }, (_, i) => `${String.fromCharCode(97 + i)}${'x'.repeat(500)}`);
  assert.equal(warningHeaders(many).length, 16);
});

test('warningHeaders lets no control character into a header', () => {
  assert.deepEqual(warningHeaders(['a\r\nSet-Cookie: x\0']), ['299 - "a  Set-Cookie: x "']);
});

test('warningHeaders counts characters, not bytes, and writes UTF-8', () => {
  const [header = ''] = warningHeaders(['\u{1F600}'.repeat(5000)]);
  const text = Buffer.from(header, 'latin1').toString('utf8');
  assert.equal(text, `299 - "${'\u{1F600}'.repeat(256)}"`);
});
