import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import { dataKey } from '../meta/names.ts';

/** What is wrong with a reference to an entry of a ConfigMap or Secret. */
export function validateKeySelector(
  { name, key }: { readonly name?: string; readonly key: string },
  path: string,
): FieldError[] {
  const errors: FieldError[] = name ? [] : [required(`${path}.name`)];
  if (key === '') return [...errors, required(`${path}.key`)];
  return [...errors, ...dataKey(key).map((problem) => invalid(`${path}.key`, key, problem))];
}
