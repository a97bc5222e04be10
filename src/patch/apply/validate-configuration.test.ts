// Tests of the validation of applied configurations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realSubjects } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { InvalidConfiguration, schemaViolations, validateConfiguration } from './validate-configuration.ts';

const shapes = new Map(realSubjects.map(({ name, shape: schema }) => [name, schema]));
const problemOf = (kind: string, configuration: JsonObject) => {
  try {
    validateConfiguration(shapes.get(kind)!, configuration);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof InvalidConfiguration);
    return error.message;
  }
};
const containers = (...list: (JsonObject | null | string)[]): JsonObject => ({ spec: { containers: list } });

/** Messages of the reference. */
const refusals: [kind: string, intent: JsonObject, message: string][] = [
  ['ConfigMap', { datum: {} }, '.datum: field not declared in schema'],
  ['ConfigMap', { data: [] }, '.data: expected map, got &{[]}'],
  ['ConfigMap', { data: { a: 1 } }, '.data.a: expected string, got &value.valueUnstructured{Value:1}'],
  ['ConfigMap', { immutable: 'x' }, '.immutable: expected boolean, got &{x}'],
  ['ConfigMap', { metadata: { finalizers: 'x' } }, '.metadata.finalizers: expected list, got &{x}'],
  [
    'ConfigMap',
    { metadata: { finalizers: ['a', 'a'] } },
    '.metadata.finalizers: duplicate entries for key [="a"]',
  ],
  [
    'ConfigMap',
    { metadata: { finalizers: [null] } },
    ".metadata.finalizers: element 0: associative list without keys has an element that's an explicit null",
  ],
  [
    'ConfigMap',
    { metadata: { finalizers: ['a', {}] } },
    ".metadata.finalizers: element 1: associative list without keys has an element that's a map type",
  ],
  [
    'ConfigMap',
    { metadata: { finalizers: [[]] } },
    '.metadata.finalizers: element 0: not supported: associative list with lists as elements',
  ],
  ['Pod', containers({ name: 'a' }, { name: 'a' }), '.spec.containers: duplicate entries for key [name="a"]'],
  [
    'Pod',
    containers(null),
    '.spec.containers: element 0: associative list with keys may not have a null element',
  ],
  [
    'Pod',
    containers('x'),
    '.spec.containers: element 0: associative list with keys may not have non-map elements',
  ],
  [
    'Pod',
    containers({ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
    '.spec.containers[name="a"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
  ],
  ['Pod', containers({ name: 'a', args: 'x' }), '.spec.containers[name="a"].args: expected list, got &{x}'],
  [
    'Pod',
    containers({ name: 'a', args: [1] }),
    '.spec.containers[name="a"].args[0]: expected string, got &value.valueUnstructured{Value:1}',
  ],
  [
    'Pod',
    containers({ name: 'a', resources: { limits: { cpu: {} } } }),
    '.spec.containers[name="a"].resources.limits.cpu: expected any scalar, got &{map[]}',
  ],
  [
    'Pod',
    containers({ name: 'a', stdin: 1 }),
    '.spec.containers[name="a"].stdin: expected boolean, got &{1}',
  ],
  [
    'Service',
    { spec: { ports: [{ port: 'x' }] } },
    '.spec.ports[port="x",protocol="TCP"].port: expected numeric (int or float), got string',
  ],
  [
    'Service',
    { spec: { ports: [{ port: true }] } },
    '.spec.ports[port=true,protocol="TCP"].port: expected numeric (int or float), got bool',
  ],
  [
    'Service',
    { spec: { healthCheckNodePort: [] } },
    '.spec.healthCheckNodePort: expected numeric (int or float), got []interface {}',
  ],
  [
    'Service',
    { spec: { healthCheckNodePort: {} } },
    '.spec.healthCheckNodePort: expected numeric (int or float), got map[string]interface {}',
  ],
];

for (const [kind, intent, message] of refusals) {
  test(`an applied configuration is rejected: ${message}`, () =>
    assert.equal(problemOf(kind, intent), message));
}

test('all errors are reported together, except those below an unknown field', () => {
  assert.equal(
    problemOf('Pod', containers({ name: 'a', bogus: {}, stdin: 1 }, { name: 'b', bogus: 1 })),
    [
      'errors:',
      '  .spec.containers[name="a"].bogus: field not declared in schema',
      '  .spec.containers[name="b"].bogus: field not declared in schema',
    ].join('\n'),
  );
});

test('null is allowed except as an item of a list with keys', () => {
  for (const configuration of [
    { data: null },
    { metadata: null },
    { data: { a: null } },
    { immutable: null },
  ]) {
    assert.equal(problemOf('ConfigMap', configuration), undefined);
  }
  assert.equal(problemOf('Pod', containers({ name: 'a', args: [null] })), undefined);
});

test('the live object may have duplicate items', () => {
  const schema = shapes.get('ConfigMap')!;
  const live = { metadata: { finalizers: ['a', 'a'] } };
  assert.deepEqual(schemaViolations(schema, live, { allowsDuplicates: true }), []);
  assert.equal(schemaViolations(schema, live, { allowsDuplicates: false }).length, 1);
});

test('a message lists at most 2,000 errors', () => {
  const finalizers = Array.from({ length: 3_000 }, () => 'a');
  assert.equal(problemOf('ConfigMap', { metadata: { finalizers } })?.split('\n').length, 2_001);
});
