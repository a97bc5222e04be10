import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { SelectorValidator } from './selector-rules.ts';

const rules = new SelectorValidator(orch);

async function problems(...expressions: (string | undefined)[]): Promise<string[]> {
  const selectors = expressions.map((expression) =>
    expression === undefined ? {} : { cel: { expression } },
  );
  const object = {};
  await rules.load(object, selectors, undefined);
  return rules.validate(object, selectors, 'at').map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}

test('an expression is required, and at most 10 Ki long', async () => {
  assert.deepEqual(await problems('true'.padEnd(10 * 1024)), []);
  assert.deepEqual(await problems('true'.padEnd(10 * 1024 + 1), undefined), [
    'at[0].cel.expression: Too long: may not be more than 10240 bytes',
    'at[1].cel: Required value',
  ]);
  assert.match((await problems(''))[0]!, /^at\[0\]\.cel\.expression: Invalid value: "": compilation failed/);
});

test('an expression is true or false, or nobody can say before it runs', async () => {
  assert.deepEqual(await problems("device.driver == 'a'", "device.attributes['a'].b"), []);
  assert.deepEqual(await problems('1', 'dyn(true)'), [
    'at[0].cel.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int',
    'at[1].cel.expression: Invalid value: "dyn(true)": must evaluate to bool or the unknown type, not dyn',
  ]);
  assert.match((await problems('device.name'))[0]!, /undefined field 'name'/);
});

test('an expression that may cost too much is refused', async () => {
  const each = (inner: string) => `device.attributes.all(x, device.attributes.all(y, ${inner}))`;
  assert.deepEqual(await problems(each('x != y')), []);
  assert.deepEqual(await problems(each(each("device.driver.matches('a*')"))), [
    'at[0].cel.expression: Forbidden: too complex, exceeds cost limit',
  ]);
});

test('there are at most 32 selectors, which is said after what is wrong with each', async () => {
  const found = await problems(...Array.from({ length: 33 }, () => '1'));
  assert.equal(found.length, 34);
  assert.equal(found.at(-1), 'at: Too many: 33: must have at most 32 items');
});

test('what is stored may use what the release before does not have yet', async () => {
  const selectors = [{ cel: { expression: "semver('1', true).major() == 1" } }];
  for (const [old, count] of [
    [undefined, 1],
    [selectors, 0],
  ] as const) {
    const object = {};
    await rules.load(object, selectors, old);
    assert.equal(rules.validate(object, selectors, 'at').length, count);
  }
});
