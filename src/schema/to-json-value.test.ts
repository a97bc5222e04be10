import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '../apis/core/configmap.ts';
import { Pod } from '../apis/core/pod.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import type { Struct } from './struct.ts';
import { toJsonValue } from './to-json-value.ts';

function showsItsJson(schema: Struct<unknown>, json: JsonValue): void {
  const { object } = schema.decode(json);
  const before = JSON.stringify(object);
  assert.deepEqual(JSON.parse(JSON.stringify(toJsonValue(schema, object))), JSON.parse(schema.write(object)));
  assert.equal(JSON.stringify(object), before);
}

test('a value is shown as its JSON is written, and stays as it was', () => {
  showsItsJson(ConfigMap, { metadata: { name: 'a', labels: {} }, data: {}, immutable: false });
  const container = { name: '', image: '', command: [], env: [{ name: 'x', value: '' }], resources: {} };
  showsItsJson(Pod, {
    metadata: { name: 'a' },
    spec: { nodeName: '', containers: [container], volumes: [] },
  });
  showsItsJson(Pod, {});
});

test('what looks like its JSON already is not copied', () => {
  const { object } = ConfigMap.decode({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', creationTimestamp: '2024-01-02T03:04:05Z' },
    data: { x: '' },
  });
  assert.equal(toJsonValue(ConfigMap, object), object);
});
