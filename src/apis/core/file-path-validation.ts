// Paths and modes of files in volumes: validation (upstream: validatePathNoBacksteps, ValidateLocalNonReservedPath).
import { type FieldError, invalid, required } from '../../errors/field-error.ts';

/** Rejects paths with a `..` element. */
export function validateNoBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Rejects absolute paths and paths with a `..` element. */
export function validateDescendingPath(path: string, field: string): FieldError[] {
  const errors = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : [];
  return [...errors, ...validateNoBacksteps(path, field)];
}

/** As validateDescendingPath, and rejects names that begin with `..`, which the kubelet reserves (`..data`). */
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
