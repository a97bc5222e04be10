// CEL validators: check literals after type checking (durations, timestamps, regular expressions, format strings).
import type { Call, Expr } from './ast.ts';
import type { CheckedExpr } from './checker.ts';
import { type Clause, readFormat, tooMany, unsupportedTypeMessage } from './library/format-string.ts';
import { compilePattern } from './regex.ts';
import type { Issue } from './source.ts';
import { parseDuration, parseTimestamp } from './time/text.ts';
import { type CelType, formatType } from './types.ts';

/** Reports issues after type checking; `nodes` are all subexpressions. */
export type Validator = (nodes: readonly Expr[], types: CheckedExpr['types']) => readonly Issue[];

/** All nodes of an expression in pre-order. */
export function collectNodes(expr: Expr, nodes: Expr[] = []): readonly Expr[] {
  nodes.push(expr);
  switch (expr.node) {
    case 'select':
      collectNodes(expr.operand, nodes);
      break;
    case 'call':
      if (expr.target) collectNodes(expr.target, nodes);
      for (const arg of expr.args) collectNodes(arg, nodes);
      break;
    case 'list':
      for (const element of expr.elements) collectNodes(element, nodes);
      break;
    case 'map':
      for (const { key, value } of expr.entries) {
        collectNodes(key, nodes);
        collectNodes(value, nodes);
      }
      break;
    case 'struct':
      for (const { value } of expr.fields) collectNodes(value, nodes);
      break;
    case 'comprehension':
      for (const part of [expr.range, expr.init, expr.condition, expr.step, expr.result])
        collectNodes(part, nodes);
  }
  return nodes;
}

/** Validates the string literal arguments of a function. */
function validateLiteralArgument(
  name: string,
  argument: (call: Call) => Expr | undefined,
  isRight: (text: string) => boolean,
): Validator {
  return (nodes) => {
    const issues: Issue[] = [];
    for (const part of nodes) {
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

/** Literal durations, timestamps and patterns must be valid. */
export const literalValidators: readonly Validator[] = [
  validateLiteralArgument(
    'duration',
    ({ args }) => args[0],
    (text) => parseDuration(text) !== undefined,
  ),
  validateLiteralArgument(
    'timestamp',
    ({ args }) => args[0],
    (text) => parseTimestamp(text) !== undefined,
  ),
  validateLiteralArgument(
    'matches',
    ({ target, args }) => (target ? args[0] : args[1]),
    (text) => typeof compilePattern(text) !== 'string',
  ),
];

/** List and map literals must be homogeneous, except for the arguments of `format`. */
export const homogeneousLiterals: Validator = (nodes, types) => {
  const issues: Issue[] = [];
  const exemptIds = new Set<number>();
  const checkHomogeneous = (members: readonly Expr[], optional: (i: number) => boolean) => {
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
  for (const part of nodes) {
    if (part.node === 'call' && part.name === 'format' && part.target) {
      for (const arg of part.args) exemptIds.add(arg.id);
    }
    if (part.node === 'list' && !exemptIds.has(part.id))
      checkHomogeneous(part.elements, (i) => part.optional.has(i));
    if (part.node === 'map') {
      checkHomogeneous(
        part.entries.map(({ key }) => key),
        () => false,
      );
      checkHomogeneous(
        part.entries.map(({ value }) => value),
        (i) => part.entries[i]!.optional,
      );
    }
  }
  return issues;
};

/** The argument types of a format clause, as far as they are known statically. */
const clauseTypes: Readonly<Record<string, ReadonlySet<string>>> = {
  s: new Set('string bool bytes int uint double map list type duration timestamp null'.split(' ')),
  d: new Set(['int', 'uint']),
  f: new Set(['double', 'string']),
  e: new Set(['double', 'string']),
  b: new Set(['int', 'uint', 'bool']),
  x: new Set(['int', 'uint', 'bytes', 'string']),
  X: new Set(['int', 'uint', 'bytes', 'string']),
  o: new Set(['int', 'uint']),
};

/** The clauses of a literal format string must match the types of their arguments. */
export const formatArguments: Validator = (nodes, types) => {
  const issues: Issue[] = [];
  for (const part of nodes) {
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
    } else issues.push(...findMismatches(clauses, args.elements, types));
  }
  return issues;
};

function findMismatches(
  clauses: readonly Clause[],
  elements: readonly Expr[],
  types: ReadonlyMap<number, CelType>,
): Issue[] {
  const issues: Issue[] = [];
  for (const [i, { verb }] of clauses.entries()) {
    const type = types.get(elements[i]!.id)!;
    if (type.kind === 'dyn' || clauseTypes[verb]!.has(type.kind)) continue;
    issues.push({ message: unsupportedTypeMessage(verb, type.name), offset: elements[i]!.offset });
  }
  return issues;
}
