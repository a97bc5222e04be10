// CEL validators: check literals after type checking (durations, timestamps, regular expressions, format strings).
import type { Call, Expr } from './ast.ts';
import type { CheckedExpr } from './checker.ts';
import {
  type Clause,
  parseFormat,
  tooManyArguments,
  unsupportedTypeMessage,
} from './library/format-string.ts';
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
  isValid: (text: string) => boolean,
): Validator {
  return (nodes) => {
    const issues: Issue[] = [];
    for (const expr of nodes) {
      if (expr.node !== 'call' || expr.name !== name) continue;
      const literal = argument(expr);
      if (literal?.node !== 'literal' || literal.literal.kind !== 'string') continue;
      if (!isValid(literal.literal.value)) {
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
  const checkHomogeneous = (members: readonly Expr[], isOptional: (i: number) => boolean) => {
    let first: CelType | undefined;
    for (const [i, expr] of members.entries()) {
      const memberType = types.get(expr.id)!;
      const type = isOptional(i) && memberType.isOptional ? memberType.params[0]! : memberType;
      if (first === undefined) first = type;
      else if (!first.isExactly(type)) {
        issues.push({
          message: `expected type '${formatType(first)}' but found '${formatType(type)}'`,
          offset: expr.offset,
        });
        return;
      }
    }
  };
  for (const expr of nodes) {
    if (expr.node === 'call' && expr.name === 'format' && expr.target) {
      for (const arg of expr.args) exemptIds.add(arg.id);
    }
    if (expr.node === 'list' && !exemptIds.has(expr.id))
      checkHomogeneous(expr.elements, (i) => expr.optional.has(i));
    if (expr.node === 'map') {
      checkHomogeneous(
        expr.entries.map(({ key }) => key),
        () => false,
      );
      checkHomogeneous(
        expr.entries.map(({ value }) => value),
        (i) => expr.entries[i]!.optional,
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
export const formatStringArguments: Validator = (nodes, types) => {
  const issues: Issue[] = [];
  for (const expr of nodes) {
    if (expr.node !== 'call' || expr.name !== 'format') continue;
    const [args] = expr.args;
    if (expr.target?.node !== 'literal' || expr.target.literal.kind !== 'string' || args?.node !== 'list')
      continue;
    const format = parseFormat(expr.target.literal.value);
    if ('problem' in format) {
      issues.push({ message: format.problem, offset: expr.offset });
      continue;
    }
    const { clauses } = format;
    if (clauses.length > args.elements.length) {
      issues.push({ message: `index ${args.elements.length} out of range`, offset: expr.offset });
    } else if (clauses.length < args.elements.length) {
      issues.push({ message: tooManyArguments(clauses.length, args.elements.length), offset: expr.offset });
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
