import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, ShownAs } from '../../errors/field-error.ts';

/** More than anybody reads, and far below what an answer could hold. */
const mostErrors = 10_000;
const mostText = 3 * 1024 * 1024;

/**
 * Refuses an object in which something is wrong. There are objects with more mistakes than can be gathered, all within the
 * size of a body: these are refused without a list.
 */
export function refuseInvalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  find: () => readonly FieldError[],
): void {
  const errors = found(find);
  if (errors.length > 0) throw invalidObject(kind, name, worthTelling(errors));
}

/** As many as can be told: each may show all of a large value, or all values that would be right. */
function worthTelling(errors: readonly FieldError[]): readonly FieldError[] {
  let left = mostText;
  const end = errors.findIndex(({ detail, value }, index) => {
    left -= detail.length;
    if (typeof value === 'string') left -= value.length;
    if (value instanceof ShownAs) left -= value.text.length;
    return index > 0 && (index === mostErrors || left < 0);
  });
  return end < 0 ? errors : errors.slice(0, end);
}

function found(find: () => readonly FieldError[]): readonly FieldError[] {
  try {
    return find();
  } catch (error) {
    // Gathering a list of hundreds of thousands into another overflows the stack.
    if (error instanceof RangeError)
      throw badRequest('there is more wrong with the object than can be listed');
    throw error;
  }
}
