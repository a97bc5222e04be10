import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultTypeError } from './result-type.ts';
import { bool, nullType, string } from './types.ts';
import { createEnvironment } from './versions.ts';

const environment = createEnvironment({ serviceName: 'orch' });
const problem = (expression: string, ...wanted: Parameters<typeof resultTypeError>[2][number][]) =>
  resultTypeError(environment, environment.compile(expression), wanted);

test('resultTypeError returns undefined for an expected type', () => {
  assert.equal(problem('1 == 1', bool), undefined);
  assert.equal(problem('null', string, nullType), undefined);
});

test('resultTypeError names the type of the result', () => {
  assert.equal(problem('dyn(true)', bool), 'must evaluate to bool but got dyn');
  assert.equal(problem("quantity('1')", bool), 'must evaluate to bool but got orch.Quantity');
  assert.equal(
    problem("{'a': duration('1s')}", string, nullType),
    'must evaluate to one of [string null_type] but got map(string, google.protobuf.Duration)',
  );
});

test('resultTypeError returns the compile errors', () => {
  assert.equal(
    problem('nope', bool),
    "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^",
  );
});
