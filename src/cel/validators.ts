// CEL validators: checks of literals beyond types (durations, timestamps, regular expressions, formats).
import type { Call, Expr } from './ast.ts';
import type { Checked } from './checker.ts';
import { type Clause, readFormat, refusal, tooMany } from './library/format-string.ts';
import { compilePattern } from './regex.ts';
import type { Issue } from './source.ts';
import { parseDuration, parseTimestamp } from './time/text.ts';
import { type CelType, formatType } from './types.ts';

/** Reports errors beyond types; `parts` are all subexpressions. */
export type Validator = (parts: readonly Expr[], types: Checked['types']) => readonly Issue[];

/** Every part of an expression, each before those in it. */
export function partsOf(expr: Expr, parts: Expr[] = []): readonly Expr[] {
  parts.push(expr);
  switch (expr.node) {
    case 'select':
      partsOf(expr.operand, parts);
      break;
    case 'call':
      if (expr.target) partsOf(expr.target, parts);
      for (const arg of expr.args) partsOf(arg, parts);
      break;
    case 'list':
      for (const element of expr.elements) partsOf(element, parts);
      break;
    case 'map':
      for (const { key, value } of expr.entries) {
        partsOf(key, parts);
        partsOf(value, parts);
      }
      break;
    case 'struct':
      for (const { value } of expr.fields) partsOf(value, parts);
      break;
    case 'comprehension':
      for (const part of [expr.range, expr.init, expr.condition, expr.step, expr.result])
        partsOf(part, parts);
  }
  return parts;
}

/** Looks at an argument of a function wherever it is a text written out. */
function literalArgument(
  name: string,
  argument: (call: Call) => Expr | undefined,
  isRight: (text: string) => boolean,
): Validator {
  return (parts) => {
    const issues: Issue[] = [];
    for (const part of parts) {
      if (part.node !== 'call' || part.name !== name) continue;
      const literal = argument(part);
      if (literal?.node !== 'literal' || literal.literal.kind !== 'string') continue;
      if (!isRight(literal.literal.value)) {
        issues.push({ message: `invalid ${name} argument`, offset: literal.offset });
      }
    }
    return issues;
  };
}

/** Durations, timestamps and patterns that are written out are right. */
export const literalValidators: readonly Validator[] = [
  literalArgument(
    'duration',
    ({ args }) => args[0],
    (text) => parseDuration(text) !== undefined,
  ),
  literalArgument(
    'timestamp',
    ({ args }) => args[0],
    (text) => parseTimestamp(text) !== undefined,
  ),
  literalArgument(
    'matches',
    ({ target, args }) => (target ? args[0] : args[1]),
    (text) => typeof compilePattern(text) !== 'string',
  ),
];

/** Lists and maps written out hold values of one type, but for what `format` writes. */
export const homogeneousLiterals: Validator = (parts, types) => {
  const issues: Issue[] = [];
  const exempt = new Set<number>();
  const alike = (members: readonly Expr[], optional: (i: number) => boolean) => {
    let first: CelType | undefined;
    for (const [i, part] of members.entries()) {
      const whole = types.get(part.id)!;
      const type = optional(i) && whole.isOptional ? whole.params[0]! : whole;
      if (first === undefined) first = type;
      else if (!first.isExactly(type)) {
        issues.push({
          message: `expected type '${formatType(first)}' but found '${formatType(type)}'`,
          offset: part.offset,
        });
        return;
      }
    }
  };
  for (const part of parts) {
    if (part.node === 'call' && part.name === 'format' && part.target) {
      for (const arg of part.args) exempt.add(arg.id);
    }
    if (part.node === 'list' && !exempt.has(part.id)) alike(part.elements, (i) => part.optional.has(i));
    if (part.node === 'map') {
      alike(
        part.entries.map(({ key }) => key),
        () => false,
      );
      alike(
        part.entries.map(({ value }) => value),
        (i) => part.entries[i]!.optional,
      );
    }
  }
  return issues;
};

/** The argument types of a format clause, as far as they are known statically. */
const takes: Readonly<Record<string, ReadonlySet<string>>> = {
  s: new Set('string bool bytes int uint double map list type duration timestamp null'.split(' ')),
  d: new Set(['int', 'uint']),
  f: new Set(['double', 'string']),
  e: new Set(['double', 'string']),
  b: new Set(['int', 'uint', 'bool']),
  x: new Set(['int', 'uint', 'bytes', 'string']),
  X: new Set(['int', 'uint', 'bytes', 'string']),
  o: new Set(['int', 'uint']),
};

/** Literal format strings must fit their arguments. */
export const formatArguments: Validator = (parts, types) => {
  const issues: Issue[] = [];
  for (const part of parts) {
    if (part.node !== 'call' || part.name !== 'format') continue;
    const [args] = part.args;
    if (part.target?.node !== 'literal' || part.target.literal.kind !== 'string' || args?.node !== 'list')
      continue;
    const format = readFormat(part.target.literal.value);
    if ('problem' in format) {
      issues.push({ message: format.problem, offset: part.offset });
      continue;
    }
    const { clauses } = format;
    if (clauses.length > args.elements.length) {
      issues.push({ message: `index ${args.elements.length} out of range`, offset: part.offset });
    } else if (clauses.length < args.elements.length) {
      issues.push({ message: tooMany(clauses.length, args.elements.length), offset: part.offset });
    } else issues.push(...mismatched(clauses, args.elements, types));
  }
  return issues;
};

function mismatched(
  clauses: readonly Clause[],
  elements: readonly Expr[],
  types: ReadonlyMap<number, CelType>,
): Issue[] {
  const issues: Issue[] = [];
  for (const [i, { verb }] of clauses.entries()) {
    const type = types.get(elements[i]!.id)!;
    if (type.kind === 'dyn' || takes[verb]!.has(type.kind)) continue;
    issues.push({ message: refusal(verb, type.name), offset: elements[i]!.offset });
  }
  return issues;
}
