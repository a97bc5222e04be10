// Validation of field manager names (upstream: ValidateFieldManager).

import { type FieldError, invalid, tooLong } from '../../errors/field-error.ts';

/** Upstream: FieldManagerMaxLength. */
export const maxFieldManagerBytes = 128;

export const isPrintable = (character: string) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character);

/** Rejects names that are too long or contain unprintable characters. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxFieldManagerBytes) errors.push(tooLong(path, maxFieldManagerBytes));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const why = `invalid character ${formatCodePoint(character)} (at position ${position})`;
      errors.push(invalid(path, manager, why));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

function formatCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
