import { type FieldError, invalid, tooLong } from '../../errors/field-error.ts';

/** So many bytes may the name of a manager of fields have. */
export const longestManager = 128;

export const isPrintable = (character: string) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character);

/** What is wrong with the name of a manager of fields. */
export function managerProblems(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > longestManager) errors.push(tooLong(path, longestManager));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const why = `invalid character ${unicodeName(character)} (at position ${position})`;
      errors.push(invalid(path, manager, why));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

function unicodeName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
