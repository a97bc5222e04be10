// Typed object references (apiGroup, kind, name): validation.
import { addErrors, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { dnsSubdomain, nameIsPathSegment } from '../../schema/names.ts';

interface TypedReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export function validateTypedReference({ apiGroup, kind, name }: TypedReference, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const addProblems = (field: string, value: string, problems: string[]) =>
    addErrors(
      errors,
      problems.map((problem) => invalid(`${path}.${field}`, value, problem)),
    );
  if (apiGroup !== undefined) addProblems('apiGroup', apiGroup, dnsSubdomain(apiGroup));
  if (!kind) errors.push(required(`${path}.kind`, 'kind is required'));
  else addProblems('kind', kind, nameIsPathSegment(kind));
  if (!name) errors.push(required(`${path}.name`, 'name is required'));
  else addProblems('name', name, nameIsPathSegment(name));
  return errors;
}
