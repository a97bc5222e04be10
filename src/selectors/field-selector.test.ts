import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector, selectedName } from './field-selector.ts';

test('parseFieldSelector reads terms, operators and escapes', () => {
  assert.deepEqual(parseFieldSelector('metadata.name=a,metadata.namespace!=b\\,c', undefined), [
    { field: 'metadata.name', value: 'a', equal: true },
    { field: 'metadata.namespace', value: 'b,c', equal: false },
  ]);
  assert.deepEqual(parseFieldSelector(',', undefined), []);
  assert.deepEqual(parseFieldSelector('type==Opaque', ['type']), [
    { field: 'type', value: 'Opaque', equal: true },
  ]);
});

test('selectedName is the only name that a selector can match', () => {
  assert.equal(selectedName(parseFieldSelector('metadata.name=a', undefined)), 'a');
  assert.equal(selectedName(parseFieldSelector('metadata.name!=a', undefined)), undefined);
});

for (const [selector, known, message] of [
  ['foo=a', undefined, '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['foo=a', ['type'], 'field label not supported: foo'],
  ['metadata.name', undefined, "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['metadata.name=a\\q', undefined, 'invalid field selector: invalid escape sequence: \\q'],
  ['metadata.name=a=b', undefined, 'invalid field selector: unescaped character in value: 61'],
] as const) {
  test(`field selector ${JSON.stringify(selector)} is rejected with the reason`, () => {
    assert.throws(() => parseFieldSelector(selector, known), { code: 400, message });
  });
}
