// Validation of matchConditions, variables and other CEL expressions of admission policies and webhooks.
import type { DialectRules } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { MatchCondition, Variable } from './match-condition.ts';
import type { ExpressionCheck, PolicyChecks } from './policy-expressions.ts';

const maxMatchConditions = 64;

/** Validates a required expression. */
export function validateExpression(
  expression: string,
  path: string,
  check: ExpressionCheck | undefined,
  blankDetail?: string,
): FieldError[] {
  if (expression.trim() === '') return [required(path, blankDetail)];
  const problem = check?.(expression);
  return problem === undefined ? [] : [invalid(path, expression, problem)];
}

/** Without a `check`, expressions are not compiled. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] = [],
  path: string,
  check?: ExpressionCheck,
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > maxMatchConditions) {
    errors.push(tooMany(path, conditions.length, maxMatchConditions));
  }
  const seen = new Set<string>();
  for (const [i, { name, expression }] of conditions.entries()) {
    addErrors(errors, validateExpression(expression.trim(), `${path}[${i}].expression`, check));
    const fieldPath = `${path}[${i}].name`;
    if (name === '') errors.push(required(fieldPath));
    else
      addErrors(
        errors,
        qualifiedName(name).map((problem) => invalid(fieldPath, name, problem)),
      );
    if (name !== '' && seen.has(name)) errors.push(duplicate(fieldPath, name));
    seen.add(name);
  }
  return errors;
}

/** Reserved words of CEL. */
const reservedWords = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'namespace',
  'null',
  'package',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reservedWords.has(name);
}

export function validateVariables(
  variables: readonly Variable[] = [],
  path: string,
  { variableNamesAreUnique }: DialectRules,
  checks?: PolicyChecks,
): FieldError[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, expression }, i) => {
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${path}[${i}].name`, 'name is not specified'));
    else if (!isIdentifier(name)) {
      errors.push(invalid(`${path}[${i}].name`, name, 'name is not a valid CEL identifier'));
    }
    if (variableNamesAreUnique && seen.has(name)) errors.push(duplicate(`${path}[${i}].name`, name));
    seen.add(name);
    const check = checks && ((text: string) => checks.variable(name, text));
    const fieldPath = `${path}[${i}].expression`;
    addErrors(errors, validateExpression(expression, fieldPath, check, 'expression is not specified'));
    return errors;
  });
}
