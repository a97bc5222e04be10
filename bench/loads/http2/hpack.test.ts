// Tests of the load generator's HPACK, with Node's HTTP/2 as the other side.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatus } from './hpack.ts';

test('the status is read from an indexed field, a literal and a Huffman code, after an update of the table size', () => {
  assert.equal(readStatus(Buffer.from([0x88])), 200);
  assert.equal(readStatus(Buffer.from([0x20, 0x8d])), 404);
  assert.equal(readStatus(Buffer.from([0x08, 0x03, 0x32, 0x30, 0x31])), 201);
  assert.equal(readStatus(Buffer.from([0x48, 0x82, 0x10, 0x03])), 201);
  assert.equal(readStatus(Buffer.from([0x48, 0x82, 0x64, 0x02])), 302);
  assert.equal(readStatus(Buffer.from([0x48, 0x83, 0x68, 0x0f, 0xff])), 409);
});
