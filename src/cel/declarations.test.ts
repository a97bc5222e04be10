// CEL function declarations: every overload has a cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixed, nominal } from './cost/models.ts';
import { LibraryBuilder } from './declarations.ts';
import { Environment, Issues } from './environment.ts';
import { standard } from './library/standard.ts';

const twice = (value: number) => 2 * value;

function compile(builder: LibraryBuilder) {
  const environment = new Environment({
    libraries: [standard, builder.library()],
    crossTypeNumericComparisons: true,
    optionalSyntax: true,
    validators: [],
    serviceName: 'orch',
    escapedFields: false,
  });
  const program = environment.compile('twice(21)');
  assert.ok(!(program instanceof Issues));
  return program;
}

test('a function is declared in one place with its types, its cost and its implementation', () => {
  const program = compile(new LibraryBuilder().add('twice', 'twice_int', 'int -> int', fixed(7), twice));
  assert.deepEqual(program.estimateCost(), { min: 7, max: 7 });
  const result = program.evaluate({}, { costLimit: 7 });
  assert.ok('value' in result);
  assert.deepEqual([result.value, result.cost], [42, 7]);
});

test('a declaration without a cost does not compile', () => {
  const builder = new LibraryBuilder();
  assert.throws(() => {
    // @ts-expect-error The cost is a required argument.
    builder.add('twice', 'twice_int', 'int -> int', twice);
    compile(builder).estimateCost();
  });
});

test('a call that may resolve to overloads of different costs costs one unit', () => {
  const builder = new LibraryBuilder()
    .add('twice', 'twice_int', 'int -> int', fixed(7), twice)
    .add('twice', 'twice_string', 'string -> string', nominal, (text: string) => text + text);
  const environment = new Environment({
    libraries: [standard, builder.library()],
    crossTypeNumericComparisons: true,
    optionalSyntax: true,
    validators: [],
    serviceName: 'orch',
    escapedFields: false,
  });
  const known = environment.compile('twice(21)');
  const ambiguous = environment.compile('twice(dyn(21))');
  assert.ok(!(known instanceof Issues) && !(ambiguous instanceof Issues));
  assert.equal(known.evaluate({}, { costLimit: 100 }).cost, 7);
  assert.equal(ambiguous.evaluate({}, { costLimit: 100 }).cost, 1);
});
