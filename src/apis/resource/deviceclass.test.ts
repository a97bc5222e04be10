import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { deviceclasses } from './deviceclass.ts';
import { devicetaintrules } from './devicetaintrule-v1alpha3.ts';

const context = { dialect: orch, features: everyFeature };
const classes = deviceclasses(context);
const problems = (spec: object) => tryCreate(classes, { spec }).problems;
const opaque = (changes: object) => ({
  config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 1 }, ...changes } }],
});

test('the spec is mutable; a change increments metadata.generation', () => {
  const oldValue = { spec: opaque({}) };
  const { object, problems: found } = tryUpdate(classes, oldValue, { spec: {} });
  assert.deepEqual(found, []);
  assert.equal(object.metadata.generation, 2);
  assert.equal(tryUpdate(classes, oldValue, oldValue).object.metadata.generation, 1);
});

test('config: the driver is required, a DNS subdomain', () => {
  assert.deepEqual(problems(opaque({})), []);
  assert.match(problems(opaque({ driver: '' }))[0]!, /^spec\.config\[0\]\.opaque\.driver: Required value/);
  assert.match(problems(opaque({ driver: 'A_' }))[0]!, /a lowercase RFC 1123 subdomain/);
});

test('config: parameters are required, an object of at most 10 Ki', () => {
  const sized = (bytes: number) => opaque({ parameters: { a: 'x'.repeat(bytes - '{"a":""}'.length) } });
  assert.deepEqual(problems(sized(10 * 1024)), []);
  assert.deepEqual(problems(sized(10 * 1024 + 1)), [
    'spec.config[0].opaque.parameters: Too long: may not be more than 10240 bytes',
  ]);
  assert.match(problems(opaque({ parameters: null }))[0]!, /parameters: Required value/);
  assert.match(problems(opaque({ parameters: 'text' }))[0]!, /must be a valid JSON object/);
});

test('config: each entry is for one driver', () => {
  assert.deepEqual(problems({ config: [{}] }), ['spec.config[0].opaque: Required value']);
});

test('deletion answers with the class', () => {
  assert.equal(classes.strategy.deleteReturnsObject, true);
});

test('a taint of a rule says since when, and is checked', () => {
  const rules = devicetaintrules(context);
  const made = tryCreate(rules, { spec: { taint: { key: 'a', effect: 'NoExecute' } } });
  assert.deepEqual(made.problems, []);
  assert.equal(made.object.spec.taint.timeAdded, '2030-01-02T03:04:05Z');
  const problems = { deviceSelector: { driver: 'A_', device: 'A_' }, taint: { key: 'a b', effect: 'x' } };
  assert.deepEqual(
    tryCreate(rules, { spec: problems }).problems.map((problem) => problem.split(':')[0]),
    ['spec.deviceSelector.driver', 'spec.deviceSelector.device', 'spec.taint.key', 'spec.taint.effect'],
  );
});
