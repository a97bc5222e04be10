import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, problems as problemsOfDefinition } from './definitions.fixture.ts';

/** What is wrong with a default that is held to rules. */
async function problems(schema: object, ...rules: (string | object)[]): Promise<string[]> {
  const validations = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  const found = await problemsOfDefinition(field({ ...schema, 'x-orch-validations': validations }));
  return found.map((problem) => problem.replace('spec.validation.openAPIV3Schema.properties[f].', ''));
}

const three = { type: 'integer', default: 3 };

test('a default keeps the rules of its place, and of what lies in it', async () => {
  assert.deepEqual(await problems(three, 'self < 5'), []);
  assert.deepEqual(await problems(three, 'self > 5'), [
    'default: Invalid value: "integer": failed rule: self > 5',
  ]);
  const items = { type: 'integer', 'x-orch-validations': [{ rule: 'self > 1' }] };
  assert.deepEqual(
    await problems({ type: 'array', maxItems: 3, items, default: [1, 2] }, 'size(self) == 2'),
    ['default[0]: Invalid value: "integer": failed rule: self > 1'],
  );
});

test('a default is held to all rules at once, as a value that is new and as one that stays', async () => {
  assert.deepEqual(await problems(three, 'self > 5', 'self != oldSelf'), [
    'default: Invalid value: "integer": failed rule: self > 5',
    'default: Invalid value: "integer": failed rule: self != oldSelf',
  ]);
});

test('a rule says what it was told to say, for the field and the reason it names', async () => {
  const object = { type: 'object', properties: { a: { type: 'integer' } }, default: { a: 3 } };
  assert.deepEqual(await problems(object, { rule: 'self.a > 5', fieldPath: '.a', message: ' small ' }), [
    'default.a: Invalid value: "object": small',
  ]);
  assert.deepEqual(await problems(three, { rule: 'self > 5', reason: 'FieldValueForbidden', message: 'm' }), [
    'default: Forbidden: m',
  ]);
  const saying = (messageExpression: string) => problems(three, { rule: 'self > 5', messageExpression });
  assert.deepEqual(await saying("'got ' + string(self)"), ['default: Invalid value: "integer": got 3']);
  for (const silent of ["' '", "'a\\nb'", 'string(self / 0)']) {
    assert.deepEqual(
      await saying(silent),
      ['default: Invalid value: "integer": failed rule: self > 5'],
      silent,
    );
  }
});

test('a rule that cannot be evaluated is told with the reason', async () => {
  assert.deepEqual(await problems(three, '1 / (self - 3) == 1'), [
    'default: Invalid value: "integer": division by zero evaluating rule: 1 / (self - 3) == 1',
  ]);
});

test('a default is asked about as it stays, and as it is new', async () => {
  assert.deepEqual(await problems(three, 'self == oldSelf'), []);
  assert.equal((await problems(three, 'self != oldSelf')).length, 1);
  for (const rule of ['oldSelf.hasValue()', '!oldSelf.hasValue()']) {
    assert.equal((await problems(three, { rule, optionalOldSelf: true })).length, 1, rule);
  }
});

test('rules stop where they cost too much, alone or together', async () => {
  const ones = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
  const heavy = (count: number) =>
    `${ones(count)}.all(x, ${ones(count)}.all(y, ${ones(count)}.all(z, z > 0)))`;
  const [alone] = await problems(three, heavy(70), 'false');
  assert.match(alone!, /no further validation rules will be run due to call cost exceeds limit/);
  const many = Array.from({ length: 20 }, (_, i) => `${heavy(52)} && ${i} > -1`);
  assert.deepEqual(await problems(three, ...many, 'false'), [
    'default: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});
