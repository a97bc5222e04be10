import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quote } from './quote.ts';

test('quote escapes as strconv.Quote does', () => {
  assert.equal(quote('plain text'), '"plain text"');
  assert.equal(quote('a "b" \\ \n\t'), '"a \\"b\\" \\\\ \\n\\t"');
  assert.equal(quote('\x00\x7f'), '"\\x00\\x7f"');
  assert.equal(quote('grüße 世界'), '"grüße 世界"');
  assert.equal(quote('\u200b\u{e0001}'), '"\\u200b\\U000e0001"');
});
