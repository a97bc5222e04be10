// Parser of label selectors, with the error messages of k8s.io/apimachinery/pkg/labels.
import { badRequest } from '../errors/catalogue.ts';
import { type FieldError, fieldErrorBody, invalid } from '../errors/field-error.ts';
import { qualifiedName, validLabelValue } from '../schema/names.ts';
import { LabelLexer, type LabelToken } from './label-lexer.ts';

/** A requirement on a label. A selector is their conjunction. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** Parses `a=b,c in (d,e),!f`. Throws 400 BadRequest. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const requirements: LabelRequirement[] = [];
  const lexer = new LabelLexer(text);
  let next = lexer.peek('value');
  if (next.type === 'end') return requirements;
  if (next.type !== 'identifier' && next.type !== '!') {
    throw badRequest(`found '${next.text}', expected: !, identifier, or 'end of string'`);
  }
  for (;;) {
    requirements.push(parseRequirement(lexer));
    next = lexer.take('operator');
    if (next.type === 'end') return requirements;
    if (next.type !== ',') throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`);
    next = lexer.peek('value');
    if (next.type !== 'identifier' && next.type !== '!') {
      throw badRequest(`found '${next.text}', expected: identifier after ','`);
    }
  }
}

export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: ReadonlyMap<string, string>,
): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels.get(requirement.key)));
}

function matchesRequirement({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
      return isInteger(value) && BigInt(value) > BigInt(values[0]!);
    case 'lt':
      return isInteger(value) && BigInt(value) < BigInt(values[0]!);
  }
}

/** Whether the text is a 64-bit integer; others never match `gt` and `lt`. */
function isInteger(text: string | undefined): text is string {
  if (text === undefined || !/^[+-]?[0-9]+$/.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

const invalidRequirement = (reason: string) => badRequest(`unable to parse requirement: ${reason}`);

function parseRequirement(lexer: LabelLexer): LabelRequirement {
  let token = lexer.take('value');
  const isNegated = token.type === '!';
  if (isNegated) token = lexer.take('value');
  if (token.type !== 'identifier') throw invalidRequirement(`found '${token.text}', expected: identifier`);
  const key = token.text;
  // `<nil>` is the path of an error that concerns no field.
  const keyErrors = qualifiedName(key).map((problem) => invalid('<nil>', key, problem));
  if (keyErrors.length > 0) throw invalidRequirement(aggregateErrors(keyErrors));
  if (isNegated) return { key, operator: 'absent', values: [] };
  const next = lexer.peek('value');
  if (next.type === 'end' || next.type === ',') return { key, operator: 'exists', values: [] };

  const operator = lexer.take('operator');
  switch (operator.type) {
    case 'in':
    case 'notin':
      return requireValid({ key, operator: operator.type, values: parseValueList(lexer) });
    case '=':
    case '==':
      return requireValid({ key, operator: 'in', values: [parseValue(lexer)] });
    case '!=':
      return requireValid({ key, operator: 'notin', values: [parseValue(lexer)] });
    case '>':
      return requireValid({ key, operator: 'gt', values: [parseValue(lexer)] });
    case '<':
      return requireValid({ key, operator: 'lt', values: [parseValue(lexer)] });
    default:
      throw invalidRequirement(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** Returns the requirement, or throws if its values are invalid. */
function requireValid(requirement: LabelRequirement): LabelRequirement {
  const errors: FieldError[] = [];
  const { key, operator, values } = requirement;
  if ((operator === 'gt' || operator === 'lt') && !isInteger(values[0])) {
    errors.push(invalid('values[0]', values[0], "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  values.forEach((value, index) => {
    for (const problem of validLabelValue(value))
      errors.push(invalid(`values[${index}][${key}]`, value, problem));
  });
  if (errors.length > 0) throw invalidRequirement(aggregateErrors(errors));
  return requirement;
}

function aggregateErrors(errors: readonly FieldError[]): string {
  const texts = errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

function parseValue(lexer: LabelLexer): string {
  const next = lexer.peek('value');
  if (next.type === 'end' || next.type === ',') return '';
  lexer.take('value');
  if (next.type !== 'identifier') throw invalidRequirement(`found '${next.text}', expected: identifier`);
  return next.text;
}

/** `(a,b,,c)`: an empty item stands for the empty value. Returns sorted, distinct values. */
function parseValueList(lexer: LabelLexer): string[] {
  const open = lexer.take('value');
  if (open.type !== '(') throw invalidRequirement(`found '${open.text}' expected: '('`);
  const values = new Set<string>();
  let previous: LabelToken | undefined;
  for (;;) {
    const token = lexer.take('value');
    if (token.type === 'identifier') {
      if (previous?.type === 'identifier')
        throw invalidRequirement(`found '${token.text}', expected: ',' or ')'`);
      values.add(token.text);
    } else if (token.type === ',') {
      if (previous?.type !== 'identifier') values.add('');
    } else if (token.type === ')') {
      if (previous?.type !== 'identifier') values.add('');
      return [...values].sort();
    } else if (previous?.type === 'identifier') {
      throw invalidRequirement(`found '${token.text}', expected: ',' or ')'`);
    } else {
      throw invalidRequirement(
        `found '${token.text}', expected: ',', ${previous ? 'or' : "')' or"} identifier`,
      );
    }
    previous = token;
  }
}
