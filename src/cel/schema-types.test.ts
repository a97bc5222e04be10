import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawNumber } from '../codec/json/json-value.ts';
import { list, mapOf } from '../schema/collections.ts';
import { intOrString } from '../schema/int-or-string.ts';
import { quantity } from '../schema/quantity-type.ts';
import { bool, bytes, double, int64, string, time } from '../schema/scalars.ts';
import { field, optional, struct } from '../schema/struct.ts';
import { Issues } from './environment.ts';
import { escapeName, unescapeName } from './escaping.ts';
import { celSchemaType, variableFor } from './schema-types.ts';
import { createEnvironment } from './versions.ts';

const Item = struct('test/v1.Item', {
  name: field(1, string, { required: true }),
  'weight-kg': field(2, double),
  at: field(3, time),
});

const Thing = struct('test/v1.Thing', {
  replicas: field(1, optional(int64)),
  ratio: field(2, double),
  on: field(3, bool),
  port: field(4, intOrString),
  memory: field(5, quantity),
  data: field(6, mapOf(bytes)),
  items: field(7, list(Item, { type: 'map', keys: ['name'] })),
  ratios: field(8, list(double)),
  namespace: field(9, string),
});

const environment = createEnvironment({ serviceName: 'orch' }).extend({
  object: variableFor(celSchemaType(Thing, 'object')),
});

const object = {
  replicas: 3,
  ratio: 2,
  on: true,
  port: 80,
  memory: '1Gi',
  data: { a: 'aGk=' },
  items: [
    { name: 'one', 'weight-kg': 1, at: '2024-01-02T03:04:05Z' },
    { name: 'two', 'weight-kg': 2.5, at: '2024-01-03T03:04:05Z' },
  ],
  ratios: [1, 2],
  namespace: 'ns',
};

function evaluate(expression: string, given: unknown = object) {
  const program = environment.compile(expression);
  if (program instanceof Issues) return program.issues.map(({ message }) => message).join('; ');
  const result = program.evaluate({ object: given });
  return 'problem' in result ? result.problem : result.value;
}

test('the schema determines the CEL types of numbers and strings', () => {
  for (const expression of [
    'object.replicas + 1 == 4',
    'object.ratio / 4.0 == 0.5',
    'object.ratios.sum() == 3.0 && object.ratios[0] / 2.0 == 0.5',
    'type(object.port) == int',
    "object.data['a'] == b'hi' && object.data.a.size() == 2",
    'object.items[0].at < object.items[1].at && object.items[1].at.getDate() == 3',
    'object.items.all(i, i.weight__dash__kg >= 1.0)',
    "object.__namespace__ == 'ns' && object.namespace == 'ns'",
    'has(object.items[0].weight__dash__kg) && !has(dyn(object).nope)',
    'object.?replicas.orValue(0) == 3',
  ]) {
    assert.equal(evaluate(expression), true, expression);
  }
});

test('values keep their types after dyn()', () => {
  assert.equal(evaluate('dyn(object).ratio / 4.0 == 0.5'), true);
  assert.equal(evaluate('dyn(object.items)[0].at.getFullYear() == 2024'), true);
  assert.equal(evaluate('[object.ratio].map(r, r / 4.0)[0] == 0.5'), true);
});

test('lists with list-type map are equal in any order', () => {
  const reversed = { ...object, items: [...object.items].reverse() };
  const both = environment.extend({ old: variableFor(celSchemaType(Thing, 'object')) });
  const program = both.compile('object.items == old.items && object.ratios == old.ratios');
  assert.ok(!(program instanceof Issues));
  const result = program.evaluate({ object, old: reversed });
  assert.equal('value' in result && result.value, true);
});

test('64-bit integers are exact', () => {
  const large = { ...object, replicas: new RawNumber('9223372036854775807') };
  assert.equal(evaluate('object.replicas - 1 == 9223372036854775806', large), true);
  assert.equal(evaluate('object.replicas + 1 > 0', large), 'integer overflow');
});

test('expressions that do not match the schema are compile errors', () => {
  assert.equal(evaluate('object.nope'), "undefined field 'nope'");
  assert.equal(
    evaluate('object.replicas + object.ratio'),
    "found no matching overload for '_+_' applied to '(int, double)'",
  );
  assert.equal(
    evaluate('object.items.all(i, i.name > 1)'),
    "found no matching overload for '_>_' applied to '(string, int)'",
  );
  assert.equal(
    evaluate('object.items[0] + 1'),
    "found no matching overload for '_+_' applied to '(object.items.@idx, int)'",
  );
});

test('property names that are not identifiers are escaped or omitted', () => {
  assert.equal(escapeName('spec'), 'spec');
  assert.equal(escapeName('a.b-c/d'), 'a__dot__b__dash__c__slash__d');
  assert.equal(escapeName('x__y'), 'x__underscores__y');
  assert.equal(escapeName('x_y'), 'x_y');
  assert.equal(escapeName('namespace'), '__namespace__');
  assert.equal(escapeName('$ref'), undefined);
  assert.equal(escapeName('1a'), undefined);
});

test('an escaped name selects the property; a reserved word has __ after it or around it', () => {
  assert.deepEqual(unescapeName('a__dot__b__dash__c__slash__d'), ['a.b-c/d']);
  assert.deepEqual(unescapeName('x__underscores__y'), ['x_y', 'x__y']);
  assert.deepEqual(unescapeName('namespace__'), ['namespace']);
  assert.deepEqual(unescapeName('__namespace__'), ['namespace']);
  assert.deepEqual(unescapeName('x__y'), []);
  assert.deepEqual(unescapeName('spec'), []);
});
