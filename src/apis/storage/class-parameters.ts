import { type FieldError, invalid, tooLong } from '../../errors/field-error.ts';

const mostParameters = 512;
const mostBytes = 256 * 1024;

/** What is wrong with the parameters of a class of storage. */
export function validateParameters(parameters: Readonly<Record<string, string>>, path: string): FieldError[] {
  const keys = Object.keys(parameters);
  // The message says bytes, though entries are counted.
  if (keys.length > mostParameters) return [tooLong(path, mostParameters)];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key of keys) {
    if (key === '') errors.push(invalid(path, key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(parameters[key]!);
  }
  if (bytes > mostBytes) errors.push(tooLong(path, mostBytes));
  return errors;
}
