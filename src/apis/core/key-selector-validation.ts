// ConfigMapKeySelector and SecretKeySelector: validation of a key in env (upstream: validateConfigMapKeySelector).
import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import { dataKey, nameIsSubdomain } from '../../schema/names.ts';

export function validateKeySelector(
  { name, key }: { readonly name?: string; readonly key: string },
  path: string,
): FieldError[] {
  const errors = nameIsSubdomain(name ?? '').map((problem) => invalid(`${path}.name`, name ?? '', problem));
  if (key === '') return [...errors, required(`${path}.key`)];
  return [...errors, ...dataKey(key).map((problem) => invalid(`${path}.key`, key, problem))];
}
