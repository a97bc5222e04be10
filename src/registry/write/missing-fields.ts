// Validation: required fields that the request body lacks. After decoding, an absent field looks like an empty one, so
// decoding records absences. Only dialects with the rule `absentDiffersFromZero` report them; kube-apiserver does not.
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Target } from '../target.ts';
import type { StorageContext } from '../verb-context.ts';

/**
 * Filters the absences found during decoding. It drops fields that this target resets, fields that mutating admission
 * has set, and fields that the stored object lacks too: clients send back the null that the server returns for an empty
 * list.
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
    // The other type is an explicit zero where only an absent field means the default.
    return type !== 'FieldValueRequired' || isEmptyIn(object, field);
  });
}

/** The value at a path such as `spec.tokenRequests[0].audience`, and the struct that contains it. */
function resolvePath(object: ApiObject, path: string): { readonly parent: unknown; readonly value: unknown } {
  let parent: unknown;
  let value: unknown = object;
  for (const step of path.split(/[.[\]]+/)) {
    parent = value;
    value = isObject(parent) ? parent[step] : undefined;
  }
  return { parent, value };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object';

function isAbsentIn(object: ApiObject, path: string): boolean {
  const { parent, value } = resolvePath(object, path);
  return isObject(parent) && (value === undefined || value === null);
}

function isEmptyIn(object: ApiObject, path: string): boolean {
  const { parent, value } = resolvePath(object, path);
  if (!isObject(parent)) return false;
  return !value || (isObject(value) && Object.keys(value).length === 0);
}
