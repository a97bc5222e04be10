import { type FieldError, invalid, required } from '../../errors/field-error.ts';

/** A path that does not climb: no step of it is `..`. */
export function validateNoBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** A path that stays below where it starts. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  const errors = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : [];
  return [...errors, ...validateNoBacksteps(path, field)];
}

/** As validateDescendingPath, and not among the names that the node keeps for itself (`..data`). */
export function validateFilePath(path: string, field: string): FieldError[] {
  if (path === '') return [required(field)];
  const errors = validateDescendingPath(path, field);
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalid(field, path, "must not start with '..'"));
  }
  return errors;
}

export function validateFileMode(mode: number | undefined, field: string): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
