import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detachedSchemas } from './detached-schemas.ts';

const hostile = {
  description: 'é "openAPIV3Schema":{ }} \\" {"id":"0"}',
  properties: { openAPIV3Schema: { type: 'object', properties: { '"openAPIV3Schema': {} } } },
};
const definition = {
  metadata: { annotations: { applied: '{"openAPIV3Schema":{"type":"object"}}', 'ü"openAPIV3Schema': '{' } },
  spec: {
    versions: [
      { name: 'v1', schema: { openAPIV3Schema: hostile } },
      { name: 'v2' },
      { name: 'v3', schema: { openAPIV3Schema: {} } },
    ],
  },
  status: { conditions: [] },
};
const json = Buffer.from(JSON.stringify(definition));

test('what is taken out of a definition are its schemas, whatever they say', () => {
  const { jsonWithPlaceholders: rest, parts } = detachedSchemas.takeOut(json);
  assert.deepEqual(
    parts.map((part) => JSON.parse(part.toString())),
    [hostile, {}],
  );
  const { metadata, spec } = JSON.parse(rest.toString());
  assert.deepEqual(metadata, definition.metadata);
  assert.deepEqual(spec.versions, [
    { name: 'v1', schema: { openAPIV3Schema: { id: '0' } } },
    { name: 'v2' },
    { name: 'v3', schema: { openAPIV3Schema: { id: '1' } } },
  ]);
});

test('they are put back into what has become of the rest', () => {
  const apart = detachedSchemas.takeOut(json);
  assert.deepEqual(detachedSchemas.putBack(apart), json);
  const rest = JSON.parse(apart.jsonWithPlaceholders.toString());
  rest.status.conditions.push('"openAPIV3Schema":{"id":"0"}');
  const changed = detachedSchemas.putBack({
    ...apart,
    jsonWithPlaceholders: Buffer.from(JSON.stringify(rest)),
  });
  assert.deepEqual(JSON.parse(changed.toString()), { ...definition, status: rest.status });
});
