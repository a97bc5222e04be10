import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryUpdateLoaded } from '../try-rules.ts';
import { definition, field, problems as problemsOfDefinition, withSchema } from './definitions.fixture.ts';

const text = { type: 'string', maxLength: 10 };
const ruled = (schema: object, ...rules: (string | object)[]) => ({
  ...schema,
  'x-orch-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const at = 'spec.validation.openAPIV3Schema.properties[f]';

/** What is wrong, with the path and the rule shortened. */
async function problems(schema: object): Promise<string[]> {
  const found = await problemsOfDefinition(field(schema));
  return found.map((problem) =>
    problem
      .replace(at, 'f')
      .replace(/apiextensions\.ValidationRule\{.*?\)\}/, '{…}')
      .replace(/\n.*/s, '')
      .replace(/ \(try .*/, ''),
  );
}

test('a rule compiles, over the type of its schema, to true or false', async () => {
  assert.deepEqual(await problems(ruled(text, "self.startsWith('a')")), []);
  assert.deepEqual(await problems(ruled(text, 'self.a', 'self')), [
    "f.x-orch-validations[0].rule: Invalid value: {…}: compilation failed: ERROR: <input>:1:5: type 'string' does not support field selection",
    'f.x-orch-validations[1].rule: Invalid value: {…}: cel expression must evaluate to a bool',
  ]);
});

test('a message expression compiles to a text', async () => {
  const saying = (messageExpression: string) => ruled(text, { rule: 'true', messageExpression });
  assert.deepEqual(await problems(saying("'not ' + self")), []);
  assert.deepEqual(await problems(saying('1')), [
    'f.x-orch-validations[0].messageExpression: Invalid value: {…}: messageExpression must evaluate to a string',
  ]);
});

test('oldSelf is known where items can be told apart, and optionalOldSelf is for rules that use it', async () => {
  const items = ruled(text, 'self == oldSelf');
  assert.deepEqual(await problems({ type: 'object', additionalProperties: items }), []);
  assert.deepEqual(await problems({ type: 'array', maxItems: 3, items }), [
    `f.items.x-orch-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}`,
  ]);
  assert.deepEqual(await problems(ruled(text, { rule: 'true', optionalOldSelf: true })), [
    'f.x-orch-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
  ]);
});

test('a rule, and all rules together, may cost so much', async () => {
  const list = { type: 'array', items: { type: 'string' } };
  assert.deepEqual(await problems(ruled(list, "self.all(x, self.all(y, x == y || y == 'a'))")), [
    'f.x-orch-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x',
    'f.x-orch-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
    'spec.validation.openAPIV3Schema: Forbidden: x-orch-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x',
  ]);
});

test('where expressions see nothing there can be no rules', async () => {
  const [problem] = await problems(ruled({ 'x-orch-preserve-unknown-fields': true }, 'true'));
  assert.match(problem!, /^f\.x-orch-validations: Internal error: .* unable to convert structural schema/);
});

test('a rule that is stored may use what the release before does not have yet', async () => {
  const kind = withSchema({
    type: 'object',
    properties: { f: ruled(text, 'semver(self).major() == 1') },
  });
  assert.deepEqual((await tryUpdateLoaded(definition, kind, kind)).problems, []);
  const { problems: found } = await tryUpdateLoaded(definition, withSchema({ type: 'object' }), kind);
  assert.match(found.join(), /undeclared reference to 'semver'/);
});
