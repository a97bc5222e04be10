// Metadata is cut out of an object's JSON without parsing it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sliceMetadata } from './metadata-bytes.ts';

test('metadataOf cuts out the metadata, whatever texts and braces it holds', () => {
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

test('metadataOf takes items of lists, which do not say their kind', () => {
  assert.equal(sliceMetadata(Buffer.from('{"metadata":{"name":"a"}}')).toString(), '{"name":"a"}');
});
