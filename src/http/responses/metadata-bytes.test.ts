// Metadata is cut out of an object's JSON without parsing it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sliceMetadata } from './metadata-bytes.ts';

test('sliceMetadata extracts the metadata with any strings and braces in it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', 'a', 'é') }), fc.jsonValue()),
      (metadata) => {
        const json = Buffer.from(
          JSON.stringify({ kind: 'X', apiVersion: 'v1', metadata, data: { metadata: {} } }),
        );
        assert.equal(sliceMetadata(json).toString(), JSON.stringify(metadata));
      },
    ),
  );
});

test('sliceMetadata accepts list items, which have no kind', () => {
  assert.equal(sliceMetadata(Buffer.from('{"metadata":{"name":"a"}}')).toString(), '{"name":"a"}');
});
