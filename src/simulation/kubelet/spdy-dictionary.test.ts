// The SPDY dictionary is that of the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

test('the dictionary has the length and the checksum that SPDY implementations expect', () => {
  assert.equal(spdyDictionary.length, 1423);
  // The header of a zlib stream names the Adler-32 checksum of its dictionary.
  const head = deflateSync('', { dictionary: spdyDictionary }).subarray(2, 6);
  assert.equal(head.toString('hex'), 'e3c6a7c2');
});
