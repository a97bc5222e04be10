// Validation: rejects bodies that lack a required field whose empty value is valid, if the dialect's rules demand it.
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Target } from '../target.ts';
import type { StorageContext } from '../verb-context.ts';

/**
 * Filters the absences found during decoding. It drops fields that this target resets, fields that mutating admission has
 * set, and fields that the stored object lacks too: the server returns an empty list as null, and clients send it back.
 */
export function absencesToReport(
  { dialect }: Pick<StorageContext, 'dialect'>,
  { resource, subresource }: Target,
  absences: readonly FieldError[],
  object: ApiObject,
  old?: ApiObject,
): readonly FieldError[] {
  if (!dialect.rules.absentDiffersFromZero) return [];
  const { resetFields = [] } = resource.updateStrategy(subresource);
  return absences.filter(({ type, field }) => {
    if (resetFields.some((path) => field === path || field.startsWith(`${path}.`))) return false;
    if (old && isAbsentIn(old, field)) return false;
    return type !== 'FieldValueRequired' || isEmptyIn(object, field);
  });
}

/** The struct that a path leads into, and the value of its last field: `spec.tokenRequests[0].audience`. */
function resolvePath(object: ApiObject, path: string): { readonly holder: unknown; readonly value: unknown } {
  let holder: unknown;
  let value: unknown = object;
  for (const step of path.split(/[.[\]]+/)) {
    holder = value;
    value = isObject(holder) ? holder[step] : undefined;
  }
  return { holder, value };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object';

function isAbsentIn(object: ApiObject, path: string): boolean {
  const { holder, value } = resolvePath(object, path);
  return isObject(holder) && (value === undefined || value === null);
}

function isEmptyIn(object: ApiObject, path: string): boolean {
  const { holder, value } = resolvePath(object, path);
  if (!isObject(holder)) return false;
  return !value || (isObject(value) && Object.keys(value).length === 0);
}
