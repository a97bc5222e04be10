// OpenAPI details of single fields that upstream publishes but does not enforce.
import type { ListMerge } from '../../schema/collections.ts';

/** Published details of a field that differ from its schema. */
export interface FieldOverride {
  readonly required?: true;
  /** The published merge strategy of a field that is no list, or is never merged. */
  readonly merge?: ListMerge;
  /** The published name of the item type. */
  readonly element?: string;
}

const atomic: FieldOverride = { merge: { type: 'atomic' } };

/** By the full name of the struct and the field. */
const fieldOverrides: Readonly<Record<string, FieldOverride>> = {
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec.matchConditions': {
    element: 'admissionregistration/v1alpha1.MatchCondition',
  },
  'apiregistration/v1.APIServiceSpec.caBundle': atomic,
  'certificates/v1.CertificateSigningRequestSpec.request': atomic,
  'certificates/v1.CertificateSigningRequestStatus.certificate': atomic,
  'core/v1.EphemeralContainer.name': { required: true },
  'meta/v1.Status.details': atomic,
  'storagemigration/v1alpha1.StorageVersionMigrationList.items': {
    merge: { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
  },
};

const noOverride: FieldOverride = {};

/** The override of a field; empty if it has none. */
export function fieldOverride(structName: string, field: string): FieldOverride {
  return fieldOverrides[`${structName}.${field}`] ?? noOverride;
}
