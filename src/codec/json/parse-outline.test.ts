import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseField, parseOutline, parseSelected } from './parse-outline.ts';

test('an outline has the fields of an object and of its parts, except long ones', () => {
  const object = {
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: {
      nodeName: 'n"1\\',
      containers: Array.from({ length: 1_000 }, (_, i) => ({ name: `c${i}`, nodeName: 'wrong' })),
      terminationGracePeriodSeconds: 30,
      ips: ['10.0.0.1', '::1'],
      affinity: {},
      hostNetwork: false,
    },
    status: {},
    none: null,
  };
  const { metadata: _, spec, ...others } = object;
  const { containers: __, ...short } = spec;
  const outline = parseOutline(JSON.stringify(object), 'metadata');
  assert.deepEqual(JSON.parse(JSON.stringify(outline)), { ...others, spec: short });
});

test('an outline has no prototype of the client', () => {
  const outline = parseOutline('{"__proto__":1,"spec":{"__proto__":{"a":1},"b":2}}', 'metadata');
  assert.deepEqual(Object.keys(outline), ['spec']);
  assert.equal(JSON.stringify(outline.spec), '{"b":2}');
});

test('one field is found by its path', () => {
  const text = JSON.stringify({ a: { 'x"': [1, { b: 'no' }], b: { c: [2], d: null } }, b: 3 });
  assert.deepEqual(parseField(text, 'a', 'b', 'c'), [2]);
  assert.equal(parseField(text, 'a', 'b', 'd'), null);
  assert.equal(parseField(text, 'b'), 3);
  assert.equal(parseField(text, 'b', 'c'), undefined);
  assert.equal(parseField(text, 'a', 'none'), undefined);
});

test('selected fields of parts are parsed, and no others', () => {
  const text = JSON.stringify({
    kind: 'Pod',
    metadata: { name: 'a', labels: { name: 'no' } },
    spec: { secrets: [{}, {}], nodeName: 'n', containers: [{ name: 'c' }] },
    status: [],
  });
  const selected = parseSelected(text, {
    metadata: ['name'],
    spec: ['nodeName', 'containers'],
    status: ['phase'],
  });
  assert.deepEqual(selected, {
    metadata: { name: 'a' },
    spec: { nodeName: 'n', containers: [{ name: 'c' }] },
  });
});
