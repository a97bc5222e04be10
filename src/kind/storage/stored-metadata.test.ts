// Unit tests for reading the metadata of stored objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryReadMetadata } from './stored-metadata.ts';

function read(object: object) {
  const json = Buffer.from(JSON.stringify(object));
  return tryReadMetadata({ json, revisionOffset: json.indexOf('"resourceVersion":"') + 19 });
}

test('tryReadMetadata reads neither labels nor field sets, which may be very many', () => {
  const metadata = {
    name: '"labels":{',
    resourceVersion: '',
    labels: { labels: '}', a: '"labels":{' },
    annotations: { labels: '{', a: '"managedFields":[{"fieldsV1":{' },
    finalizers: ['f'],
    managedFields: [{ manager: 'm', fieldsV1: { 'f:metadata': {} } }],
  };
  const { name, resourceVersion, annotations, finalizers } = metadata;
  assert.deepEqual(read({ kind: 'A', metadata, spec: {} }), {
    name,
    resourceVersion,
    annotations,
    finalizers,
  });
});

test('tryReadMetadata of an object without labels keeps the labels of other parts apart', () => {
  const metadata = { name: 'a', resourceVersion: '', finalizers: ['f'] };
  const template = { metadata: { labels: { a: 'b' } } };
  assert.deepEqual(read({ kind: 'A', metadata, spec: { template } }), metadata);
});

test('tryReadMetadata of corrupt JSON is undefined', () => {
  assert.equal(read({ metadata: 1 }), undefined);
  const json = Buffer.from('{"metadata":{"resourceVersion":"","labels":{"a":');
  assert.equal(tryReadMetadata({ json, revisionOffset: 31 }), undefined);
});
