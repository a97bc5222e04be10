import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isAboutMessages,
  readSpecType,
  readSpecValue,
  type SpecCase,
  specificationCases,
} from './conformance-cases.ts';
import { nominal } from './cost/models.ts';
import type { FunctionDeclaration, Library } from './declarations.ts';
import { Environment, Issues } from './environment.ts';
import { bindings } from './library/bindings.ts';
import { encoders } from './library/encoders.ts';
import { math } from './library/math.ts';
import { optionals } from './library/optionals.ts';
import { sets } from './library/sets.ts';
import { standard } from './library/standard.ts';
import { strings } from './library/strings.ts';
import { twoVariableComprehensions } from './library/two-variables.ts';
import { isNamespace, type Macro } from './macros.ts';
import { dyn, formatType } from './types.ts';
import { Double, equal, isList, type Value } from './values.ts';

/** `cel.block` is what optimizers write; for these cases it is a chain of bindings. */
const blocks: Library = {
  functions: [],
  macros: [
    celMacro('block', 2, (nodes, [slots, result]) =>
      slots!.node === 'list'
        ? slots!.elements.reduceRight((inner, slot, i) => nodes.bind(`@index${i}`, slot, inner), result!)
        : undefined,
    ),
    celMacro('index', 1, (nodes, [at]) => nodes.ident(`@index${literalOf(at!)}`)),
    celMacro('iterVar', 2, (nodes, [depth, which]) =>
      nodes.ident(`@it:${literalOf(depth!)}:${literalOf(which!)}`),
    ),
    celMacro('accuVar', 2, (nodes, [depth, which]) =>
      nodes.ident(`@ac:${literalOf(depth!)}:${literalOf(which!)}`),
    ),
  ],
};

function celMacro(
  name: string,
  argCount: number,
  expand: (
    nodes: Parameters<Macro['expand']>[0],
    args: Parameters<Macro['expand']>[2],
  ) => ReturnType<Macro['expand']>,
): Macro {
  return {
    name,
    argCount,
    isMember: true,
    expand: (nodes, target, args) => (isNamespace(target, 'cel') ? expand(nodes, args) : undefined),
  };
}

const literalOf = (expr: Parameters<Macro['expand']>[1]) =>
  expr.node === 'literal' ? String(expr.literal.value) : '?';

const libraries: readonly Library[] = [
  standard,
  optionals,
  strings(4),
  math,
  sets,
  encoders,
  bindings,
  twoVariableComprehensions,
  blocks,
];

function environmentFor(spec: SpecCase): Environment {
  const variables: Record<string, { type: typeof dyn }> = {};
  const functions: FunctionDeclaration[] = [];
  for (const { name, ident, function: declared } of spec.typeEnv ?? []) {
    if (ident) variables[name] = { type: readSpecType(ident.type) };
    if (declared) {
      functions.push({
        name,
        overloads: declared.overloads.map((overload) => ({
          id: overload.overloadId,
          isMember: overload.isInstanceFunction ?? false,
          args: overload.params.map(readSpecType),
          result: readSpecType(overload.resultType),
          hasTypeParams: false,
          cost: nominal,
        })),
      });
    }
  }
  for (const name of Object.keys(spec.bindings ?? {})) variables[name] ??= { type: dyn };
  return new Environment({
    libraries: [...libraries, { functions }],
    variables,
    container: spec.container ?? '',
    optionalSyntax: true,
    escapedIdentifiers: true,
    crossTypeNumericComparisons: true,
  });
}

/** What went wrong, or nothing. */
function failureOf(spec: SpecCase): string | undefined {
  const program = environmentFor(spec).compile(spec.expr, { unchecked: spec.disableCheck ?? false });
  if (program instanceof Issues) return spec.evalError ? undefined : program.text;
  const deduced = spec.typedResult?.deducedType;
  if (deduced && !program.type.isExactly(readSpecType(deduced))) return `type ${program.type.name}`;
  if (spec.checkOnly) return undefined;
  const variables = Object.fromEntries(
    Object.entries(spec.bindings ?? {}).map(([name, { value }]) => [name, readSpecValue(value)]),
  );
  const result = program.evaluate(variables);
  if ('problem' in result) return spec.evalError ? undefined : result.problem;
  if (spec.evalError) return `no error but ${show(result.value)}`;
  const expected = readSpecValue(spec.value ?? spec.typedResult?.result ?? { boolValue: true });
  return isSame(result.value, expected) ? undefined : `${show(result.value)} instead of ${show(expected)}`;
}

/** Equal, and of the same type: 1 is not 1.0 here, and NaN is NaN. */
function isSame(value: Value, expected: Value): boolean {
  if (value instanceof Double && expected instanceof Double)
    return Object.is(value.value, expected.value) || value.value === expected.value;
  if (isList(value) && isList(expected))
    return value.length === expected.length && value.every((element, i) => isSame(element, expected[i]!));
  return (
    equal(value, expected) && typeof value === typeof expected && value?.constructor === expected?.constructor
  );
}

const show = (value: Value) =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner));

for (const [file, cases] of specificationCases()) {
  test(`the specification's cases of ${file} pass`, (t) => {
    const failures: string[] = [];
    let listed = 0;
    for (const spec of cases) {
      if (isAboutMessages(spec)) {
        listed++;
        continue;
      }
      const failure = failureOf(spec);
      if (failure !== undefined) failures.push(`${spec.name}: ${spec.expr}\n    ${failure}`);
    }
    const passed = cases.length - listed - failures.length;
    t.diagnostic(
      `${file}: ${passed} passed, ${listed} listed (protobuf messages), ${failures.length} failed`,
    );
    assert.deepEqual(failures, []);
  });
}

/** Blocks are untyped there, tuples are types of these cases alone, and on null it is the specification that we follow. */
const otherTypes = /cel\.block|tuple|^\[optional\.of\(1\), null\]/;

test('the checker infers the types of cel-go', (t) => {
  let compared = 0;
  const differing: string[] = [];
  for (const spec of [...specificationCases().values()].flat()) {
    if (spec.foundType === undefined || isAboutMessages(spec) || otherTypes.test(spec.expr)) continue;
    const program = environmentFor(spec).compile(spec.expr);
    if (program instanceof Issues) continue;
    compared++;
    const type = formatType(program.type);
    if (type !== spec.foundType) differing.push(`${spec.expr}: ${type} instead of ${spec.foundType}`);
  }
  t.diagnostic(`${compared} types compared`);
  assert.deepEqual(differing, []);
});
