// Tests of deflated chunks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { combineCrc32, crc32 } from './crc32.ts';
import { DeflatedChunk } from './deflated-chunk.ts';

test('crc32 agrees with zlib', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
  assert.equal(crc32(Buffer.alloc(0)), 0);
});

test('combineCrc32 returns the CRC of a concatenation', () => {
  const text = Buffer.from('a text that is cut in two, anywhere'.repeat(40));
  for (const split of [0, 1, 7, 64, 1000, text.length]) {
    const [first, second] = [text.subarray(0, split), text.subarray(split)];
    assert.equal(combineCrc32(crc32(first), crc32(second), second.length), crc32(text), `${split}`);
  }
});

test('chunks in any order and number become a gzip file of their concatenation', async () => {
  const texts = ['{"a":', '', 'x'.repeat(100_000), '"é"', '}'].map((text) => Buffer.from(text));
  const chunks = await Promise.all(texts.map((text) => DeflatedChunk.deflate(text)));
  assert.equal(gunzipSync(await DeflatedChunk.toGzip([], new CooperativeYield())).length, 0);
  for (const order of [
    [0, 1, 2, 3, 4],
    [4, 2, 2, 1, 0, 3],
  ]) {
    const expected = Buffer.concat(order.map((i) => texts[i]!));
    const file = await DeflatedChunk.toGzip(
      order.map((i) => chunks[i]!),
      new CooperativeYield(),
    );
    assert.deepEqual(gunzipSync(file), expected);
  }
});
