import type { DialectRules } from '../../dialect/dialect.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../errors/field-error.ts';
import { qualifiedName } from '../meta/names.ts';
import type { MatchCondition, Variable } from './match-condition.ts';

const maxMatchConditions = 64;

/** What can be said against conditions before their expressions are compiled. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] = [],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > maxMatchConditions) {
    errors.push(tooMany(path, conditions.length, maxMatchConditions));
  }
  const seen = new Set<string>();
  for (const [i, { name, expression }] of conditions.entries()) {
    if (expression.trim() === '') errors.push(required(`${path}[${i}].expression`));
    const where = `${path}[${i}].name`;
    if (name === '') errors.push(required(where));
    else errors.push(...qualifiedName(name).map((problem) => invalid(where, name, problem)));
    if (name !== '' && seen.has(name)) errors.push(duplicate(where, name));
    seen.add(name);
  }
  return errors;
}

const reserved = new Set([
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
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name);
}

export function validateVariables(
  variables: readonly Variable[] = [],
  path: string,
  { variablesDiffer }: DialectRules,
): FieldError[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, expression }, i) => {
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${path}[${i}].name`, 'name is not specified'));
    else if (!isIdentifier(name)) {
      errors.push(invalid(`${path}[${i}].name`, name, 'name is not a valid CEL identifier'));
    }
    if (variablesDiffer && seen.has(name)) errors.push(duplicate(`${path}[${i}].name`, name));
    seen.add(name);
    if (expression.trim() === '') {
      errors.push(required(`${path}[${i}].expression`, 'expression is not specified'));
    }
    return errors;
  });
}
