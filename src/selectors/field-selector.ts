// Parser of field selectors (k8s.io/apimachinery/pkg/fields).
import { badRequest } from '../errors/catalogue.ts';

/** A requirement: the field must (or must not) have this value. */
export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

const nameAndNamespace = ['metadata.name', 'metadata.namespace'];

/**
 * Parses `metadata.name=a,spec.x!=b`. `selectableFields`: the kind's selectable fields beyond name and namespace;
 * undefined if it has none, which changes the error message for an unknown field.
 */
export function parseFieldSelector(
  text: string,
  selectableFields: readonly string[] | undefined,
): FieldRequirement[] {
  const requirements = parseAnyFieldSelector(text);
  for (const { field } of requirements) {
    const isSupported = selectableFields
      ? field === 'metadata.name' || selectableFields.includes(field)
      : nameAndNamespace.includes(field);
    if (isSupported) continue;
    throw badRequest(
      selectableFields
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return requirements;
}

/** Like parseFieldSelector, for any field. */
export function parseAnyFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(text, term))
    .filter(({ field, value }) => field !== '' || value !== '');
}

/** The value of a `metadata.name=x` requirement, if any. */
export function selectedName(requirements: readonly FieldRequirement[]): string | undefined {
  return requirements.find((requirement) => requirement.equal && requirement.field === 'metadata.name')
    ?.value;
}

/** Splits at commas, except at those escaped by a backslash. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(selector: string, term: string): FieldRequirement {
  for (let index = 0; index < term.length; index++) {
    for (const operator of ['!=', '==', '=']) {
      if (!term.startsWith(operator, index)) continue;
      return {
        field: term.slice(0, index),
        value: unescapeValue(term.slice(index + operator.length)),
        equal: operator !== '!=',
      };
    }
  }
  throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescapeValue(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let unescaped = '';
  for (let index = 0; index < value.length; index++) {
    const character = value[index]!;
    if (character === '\\') {
      const escaped = value[++index];
      if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped ?? ''}`);
      }
      unescaped += escaped;
    } else if (character === ',' || character === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else unescaped += character;
  }
  return unescaped;
}
