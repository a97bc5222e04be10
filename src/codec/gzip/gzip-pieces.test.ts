// Tests of concatenable gzip.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { combineCrc32, crc32 } from './crc32.ts';
import { GzipPiece } from './gzip-pieces.ts';

test('crc32 agrees with zlib', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
  assert.equal(crc32(Buffer.alloc(0)), 0);
});

test('the CRC of a concatenation follows from those of its parts', () => {
  const text = Buffer.from('a text that is cut in two, anywhere'.repeat(40));
  for (const at of [0, 1, 7, 64, 1000, text.length]) {
    const [first, second] = [text.subarray(0, at), text.subarray(at)];
    assert.equal(combineCrc32(crc32(first), crc32(second), second.length), crc32(text), `${at}`);
  }
});

test('joined pieces decompress to the joined text, in any order and number', async () => {
  const texts = ['{"a":', '', 'x'.repeat(100_000), '"é"', '}'].map((text) => Buffer.from(text));
  const pieces = await Promise.all(texts.map((text) => GzipPiece.of(text)));
  assert.equal(gunzipSync(await GzipPiece.joined([], new CooperativeYield())).length, 0);
  for (const order of [
    [0, 1, 2, 3, 4],
    [4, 2, 2, 1, 0, 3],
  ]) {
    const expected = Buffer.concat(order.map((i) => texts[i]!));
    const file = await GzipPiece.joined(
      order.map((i) => pieces[i]!),
      new CooperativeYield(),
    );
    assert.deepEqual(gunzipSync(file), expected);
  }
});
