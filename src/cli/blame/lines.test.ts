// Tests of YAML lines with managers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { encodeYaml } from '../../codec/yaml/encode.ts';
import { computeBlame } from './blame.ts';
import { type OwnedLine, ownedLines } from './lines.ts';

const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

const linesOf = (object: JsonObject) => ownedLines(computeBlame(object).root);

/** Each line with its managers: `a: …`, `a+b: …` if shared, `": …` if it continues. */
const shown = (lines: readonly OwnedLine[]) =>
  lines.map(
    ({ text, owners, continues }) =>
      `${continues ? '"' : owners.map(({ manager }) => manager).join('+')}|${text}`,
  );

test('ownedLines writes an object as writeYaml does, whatever is in it', () => {
  const keys = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('a', 'name', 'k:', '__proto__', 'x'.repeat(150), 'two\nlines'),
  );
  const { value } = fc.letrec<{ value: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(
        fc.string(),
        fc.lorem({ maxCount: 30 }),
        fc.string({ unit: fc.constantFrom('\n', ' ', 'a', '#', ':', '-') }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: false }),
    ) as fc.Arbitrary<JsonObject>,
  }));
  fc.assert(
    fc.property(value, (spec) => {
      const object = { kind: 'Any', metadata: { name: 'x' }, spec };
      const text = linesOf(object)
        .map((line) => line.text)
        .join('\n');
      assert.equal(`${text}\n`, encodeYaml(object));
    }),
    { numRuns: 300 },
  );
});

test('a line has the owners of its field, or none', () => {
  const object = {
    kind: 'ConfigMap',
    metadata: {
      name: 'settings',
      labels: { app: 'shop', tier: 'web' },
      managedFields: [
        entry('a', { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } }),
        entry('b', { 'f:metadata': { 'f:labels': { 'f:tier': {} } }, 'f:data': { 'f:color': {} } }),
      ],
    },
    data: { color: 'blue' },
  };
  assert.deepEqual(shown(linesOf(object)), [
    '|data:',
    'b|  color: blue',
    '|kind: ConfigMap',
    '|metadata:',
    'a|  labels:',
    'a|    app: shop',
    'b|    tier: web',
    '|  name: settings',
  ]);
});

test('a line has all owners of a shared field', () => {
  const fields = { 'f:data': { 'f:color': {} } };
  const object = {
    metadata: { managedFields: [entry('a', fields), entry('b', fields)] },
    data: { color: 'red' },
  };
  assert.deepEqual(shown(linesOf(object)), ['|data:', 'a+b|  color: red', '|metadata: {}']);
});

test('an atomic value has its owner on its first line', () => {
  const object = {
    metadata: { managedFields: [entry('a', { 'f:spec': { 'f:selector': {}, 'f:args': {} } })] },
    spec: { args: ['x', 'y'], selector: { matchLabels: { app: 'shop' } }, size: 3 },
  };
  assert.deepEqual(shown(linesOf(object)), [
    '|metadata: {}',
    '|spec:',
    'a|  args:',
    '"|  - x',
    '"|  - "y"',
    'a|  selector:',
    '"|    matchLabels:',
    '"|      app: shop',
    '|  size: 3',
  ]);
});

test('all lines of a multi-line string have its owner', () => {
  const object = {
    metadata: { managedFields: [entry('a', { 'f:data': { '.': {}, 'f:page': {} } })] },
    data: { page: 'one\ntwo\n' },
  };
  assert.deepEqual(shown(linesOf(object)), [
    'a|data:',
    'a|  page: |',
    '"|    one',
    '"|    two',
    '|metadata: {}',
  ]);
});

test('the first line of a list item has the owner of its first field, or of an atomic item', () => {
  const object = {
    metadata: {
      managedFields: [
        entry('a', {
          'f:spec': { 'f:list': { 'k:{"name":"one"}': { '.': {}, 'f:name': {} }, 'k:{"name":"two"}': {} } },
        }),
        entry('b', { 'f:spec': { 'f:list': { 'k:{"name":"one"}': { 'f:image': {} } } } }),
      ],
    },
    spec: {
      list: [
        { name: 'one', image: 'x' },
        { name: 'two', image: 'y' },
      ],
    },
  };
  assert.deepEqual(shown(linesOf(object)), [
    '|metadata: {}',
    '|spec:',
    '|  list:',
    'b|  - image: x',
    'a|    name: one',
    'a|  - image: "y"',
    '"|    name: two',
  ]);
});
