import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Expr } from './ast.ts';
import { Environment, Issues } from './environment.ts';
import { bindings } from './library/bindings.ts';
import { optionals } from './library/optionals.ts';
import { standard } from './library/standard.ts';
import { optionalMacros, standardMacros } from './macros.ts';
import { maxExpressionDepth, parse } from './parser.ts';
import { dyn } from './types.ts';
import { unparse } from './unparse.ts';
import { createEnvironment } from './versions.ts';

const syntax = {
  macros: [...standardMacros, ...optionalMacros],
  optionalSyntax: true,
  escapedIdentifiers: false,
};
const environment = createEnvironment({ serviceName: 'orch', forDevices: true }).extend({
  x: { type: dyn },
  y: { type: dyn },
  z: { type: dyn },
});
const data = { x: { a: [1, 2.5, 'three', null, { b: true }], n: 7 }, y: [3, 1, 2], z: 'text' };

/** Any expression without macros, as text. */
const text = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('x', 'y', 'z', 'true', 'null', '1', '2u', '1.5', '-3', "'a\\n'", "b'\\xff'", '[]', '{}'),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc
      .tuple(
        tie('expr'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'),
        tie('expr'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    tie('expr').map((a) => `!(${a})`),
    tie('expr').map((a) => `-(${a})`),
    fc.tuple(tie('expr'), fc.constantFrom('a', 'b', 'n')).map(([a, field]) => `(${a}).${field}`),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.array(tie('expr'), { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `{${a}: ${b}}`),
    tie('expr').map((a) => `size(${a})`),
    tie('expr').map((a) => `(${a}).startsWith('t')`),
    tie('expr').map((a) => `(${a}).?n`),
  ),
})).expr;

const macro = fc
  .tuple(text, fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'), text)
  .map(([range, name, body]) => `(${range}).${name}(i, (${body}) == i || i == i)`);

const shape = (expr: Expr): unknown =>
  JSON.parse(
    JSON.stringify(expr, (key, value) => {
      if (key === 'id' || key === 'offset') return undefined;
      if (typeof value === 'bigint') return `${value}`;
      return value instanceof Set ? [...value] : value;
    }),
  );

test('unparse returns text that parses to the same AST', () => {
  fc.assert(
    fc.property(text, (source) => {
      const first = parse(source, syntax);
      assert.ok('expr' in first, source);
      const again = parse(unparse(first.expr), syntax);
      assert.ok('expr' in again, unparse(first.expr));
      assert.deepEqual(shape(again.expr), shape(first.expr));
    }),
    { numRuns: 500 },
  );
});

test('parse returns an AST or issues with offsets for any text', () => {
  const pieces = fc.constantFrom(
    'x',
    '.',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '?',
    '"',
    "'",
    '\\',
    '1',
    'e',
    '+',
    '&&',
    ' ',
    '\n',
    'all',
    '😀',
    '`',
    '@',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
      ),
      (source) => {
        const result = environment.compile(source);
        if (!(result instanceof Issues)) return;
        assert.ok(
          result.text.startsWith('ERROR: <input>:') || result.text.startsWith('program instantiation failed'),
        );
        for (const { offset } of result.issues) assert.ok(offset >= -1 && offset <= source.length);
      },
    ),
    { numRuns: 500 },
  );
});

test('evaluation never throws, and checked and unchecked programs agree', () => {
  fc.assert(
    fc.property(fc.oneof(text, macro), (source) => {
      const unchecked = environment.compile(source, { unchecked: true });
      const checked = environment.compile(source);
      if (unchecked instanceof Issues) return;
      const result = unchecked.evaluate(data);
      if (checked instanceof Issues) return;
      const same = checked.evaluate(data);
      assert.deepEqual(
        'value' in same ? same.value : undefined,
        'value' in result ? result.value : undefined,
      );
    }),
    { numRuns: 500 },
  );
});

test('evaluation stops at the first step that exceeds the cost limit', () => {
  fc.assert(
    fc.property(fc.oneof(text, macro), fc.integer({ min: 0, max: 60 }), (source, costLimit) => {
      const program = environment.compile(source);
      if (program instanceof Issues) return;
      const free = program.evaluate(data);
      const limited = program.evaluate(data, { costLimit });
      if ('interrupted' in limited) {
        assert.ok(free.cost > costLimit);
        // No step of these costs more than making a map.
        assert.ok(limited.cost <= costLimit + 40, `${limited.cost} of ${costLimit}: ${source}`);
      } else if (free.cost <= costLimit) assert.equal(limited.cost, free.cost);
    }),
    { numRuns: 1000 },
  );
});

test('selecting an absent field costs nothing, also with an exhausted budget', () => {
  const evaluate = (source: string, costLimit: number) => {
    const program = environment.compile(source);
    assert.ok(!(program instanceof Issues));
    const result = program.evaluate(data, { costLimit });
    return ['interrupted' in result, result.cost];
  };
  assert.deepEqual(evaluate('({}).?n', 1), [false, 1]);
  assert.deepEqual(evaluate('({}).?n', 0), [true, 1]);
  assert.deepEqual(evaluate('({}).?n.b', 1), [false, 1]);
  assert.deepEqual(evaluate('x.?none', 1), [false, 1]);
  assert.deepEqual(evaluate('x.?n', 1), [true, 2]);
  assert.deepEqual(evaluate('x.?n', 2), [false, 2]);
  assert.deepEqual(evaluate('x.none', 1), [true, 2]);
  assert.deepEqual(evaluate('x.none', 2), [false, 2]);
});

test('expressions beyond the depth limit are rejected', () => {
  for (const source of [
    `${'('.repeat(5000)}1${')'.repeat(5000)}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `x${'.a'.repeat(5000)}`,
    `1${' + 1'.repeat(2500)}`,
    `${'true ? 1 : '.repeat(1000)}1`,
  ]) {
    const result = environment.compile(source);
    assert.ok(result instanceof Issues);
    assert.equal(
      result.text,
      `ERROR: <input>:-1:0: expression recursion limit exceeded: ${maxExpressionDepth}`,
    );
  }
  assert.ok(!(environment.compile(`true${' && true'.repeat(1200)}`) instanceof Issues));
  assert.ok(!(environment.compile(`${'!'.repeat(5000)}true`) instanceof Issues));
});

test('macros that duplicate their target cannot exceed the node limit', () => {
  const plain = new Environment({
    libraries: [standard, optionals, bindings],
    variables: { x: { type: dyn } },
    optionalSyntax: true,
  });
  const result = plain.compile(`optional.of(1)${'.optMap(v, v)'.repeat(100)}`);
  assert.ok(result instanceof Issues);
  assert.match(result.text, /more than 50000 nodes/);
});

test('nested macros over large lists stop at the cost limit', () => {
  const program = environment.compile('y.all(a, y.all(b, y.all(c, y.all(d, a + b + c + d > 0))))');
  assert.ok(!(program instanceof Issues));
  const y = Array.from({ length: 10_000 }, (_, i) => i + 1);
  const result = program.evaluate({ y }, { costLimit: 1_000_000 });
  assert.ok('problem' in result);
  assert.equal(result.interrupted, 'cost');
  assert.equal(result.problem, 'operation cancelled: actual cost limit exceeded');
});

test('an evaluation can be cancelled while a macro runs', () => {
  const program = environment.compile('y.map(a, y.map(b, a * b)).size()');
  assert.ok(!(program instanceof Issues));
  let asked = 0;
  const y = Array.from({ length: 1000 }, (_, i) => i);
  const result = program.evaluate({ y }, { isCancelled: () => ++asked === 5 });
  assert.ok('problem' in result);
  assert.equal(result.interrupted, 'cancelled');
  assert.equal(asked, 5);
});

test('results that are cheap to compute are limited in size', () => {
  const long = 'x'.repeat(1_000_000);
  const many = Array.from({ length: 1_000_000 }, (_, i) => i);
  for (const [expression, problem] of [
    ["x.replace('', y).size() > 0", 'the result of replace is too long'],
    [
      `'${'%s'.repeat(100)}'.format([${Array.from({ length: 100 }, () => 'x').join(', ')}]) == ''`,
      'the result of format is too long',
    ],
    ['(z + z + z + z + z + z + z).size() > 0', 'operation cancelled: actual cost limit exceeded'],
  ] as const) {
    const program = environment.compile(expression);
    assert.ok(!(program instanceof Issues), expression);
    const result = program.evaluate({ x: long, y: long, z: many }, { costLimit: 1_000_000 });
    assert.equal('problem' in result && result.problem, problem);
  }
});
