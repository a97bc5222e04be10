// Admission webhooks: restores the managedFields of an object if a webhook has made them undecodable.
import type { ApiObject } from '../../kind/api-object.ts';
import type { ManagedFieldsEntry } from '../../kind/meta/object-meta.ts';
import { decodeManagedFields } from '../../patch/apply/managed-fields.ts';
import { assignManagedFields } from '../../registry/write/managed-fields.ts';

/** Adds a warning where it restores them. */
export function restoreInvalidManagedFields(
  objectBefore: ApiObject,
  object: ApiObject,
  warnings: string[],
): void {
  const { managedFields } = object.metadata;
  if (managedFields === undefined || decodeManagedFields(managedFields)) return;
  assignManagedFields(object, objectBefore.metadata.managedFields);
  warnings.push(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated ' +
      `mutating admission controller; please fix your requests: ${describeInvalidEntry(managedFields)}`,
  );
}

function describeInvalidEntry(entries: readonly ManagedFieldsEntry[]): string {
  for (const entry of entries) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      return 'operation must be `Apply` or `Update`';
    if (!entry.apiVersion) return 'apiVersion must not be empty';
    if (entry.fieldsType !== 'FieldsV1') return 'fieldsType must be `FieldsV1`';
  }
  return 'fieldsV1 cannot be read';
}
