import { invalidObject } from '../../errors/catalogue.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  shownStrings,
  tooLong,
} from '../../errors/field-error.ts';
import type { User } from '../../http/exchange.ts';

/** What a create or update asks for beside its object. */
export interface WriteOptions {
  /** Who writes; undefined for the server itself. */
  readonly user?: User;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export const plainWrite: WriteOptions = { dryRun: false, fieldValidation: 'Warn' };

export function readWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  metaGroup: string,
  user: User,
): WriteOptions {
  if (query.size === 0) return { ...plainWrite, user };
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...dryRunProblems(dryRun),
    ...fieldManagerProblems(query.get('fieldManager') ?? ''),
    ...fieldValidationProblems(fieldValidation),
    ...(kind === 'PatchOptions' && query.has('force')
      ? [forbidden('force', 'may not be specified for non-apply patch')]
      : []),
  ];
  if (errors.length > 0) throw invalidObject({ group: metaGroup, kind }, '', errors);
  return {
    user,
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
  };
}

export function dryRunProblems(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All')
    ? []
    : [notSupported('dryRun', shownStrings(dryRun), ['All'])];
}

function fieldManagerProblems(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > 128) errors.push(tooLong('fieldManager', 128));
  [...manager].forEach((character, index) => {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      errors.push(
        invalid(
          'fieldManager',
          manager,
          `invalid character ${unicodeName(character)} (at position ${index})`,
        ),
      );
    }
  });
  return errors;
}

function fieldValidationProblems(value: string): FieldError[] {
  return ['', 'Ignore', 'Strict', 'Warn'].includes(value)
    ? []
    : [notSupported('fieldValidation', value, ['', 'Ignore', 'Strict', 'Warn'])];
}

function unicodeName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
