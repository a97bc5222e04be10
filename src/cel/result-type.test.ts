import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from './result-type.ts';
import { bool, nullType, string } from './types.ts';
import { environmentOf } from './versions.ts';

const environment = environmentOf({ serviceName: 'orch' });
const problem = (expression: string, ...wanted: Parameters<typeof problemOf>[2][number][]) =>
  problemOf(environment, environment.compile(expression), wanted);

test('an expression that evaluates to what is wanted has no problem', () => {
  assert.equal(problem('1 == 1', bool), undefined);
  assert.equal(problem('null', string, nullType), undefined);
});

test('an expression of another type is told what it evaluates to', () => {
  assert.equal(problem('dyn(true)', bool), 'must evaluate to bool but got dyn');
  assert.equal(problem("quantity('1')", bool), 'must evaluate to bool but got orch.Quantity');
  assert.equal(
    problem("{'a': duration('1s')}", string, nullType),
    'must evaluate to one of [string null_type] but got map(string, google.protobuf.Duration)',
  );
});

test('an expression that does not compile is told where and why', () => {
  assert.equal(
    problem('nope', bool),
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^",
  );
});
