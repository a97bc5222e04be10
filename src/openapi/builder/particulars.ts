// Schema details that upstream's documents have for single types.
import type { ListMerge } from '../../schema/collections.ts';

/** Details of a field that only the published documents have. */
export interface Particular {
  readonly required?: true;
  /** The published merge strategy of a field that is no list, or is never merged. */
  readonly merge?: ListMerge;
  /** Another name for the struct of its elements. */
  readonly element?: string;
}

const atomic: Particular = { merge: { type: 'atomic' } };

const particulars: Readonly<Record<string, Particular>> = {
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

const none: Particular = {};

/** The details of a field of the struct with this name (`core/v1.Pod`). */
export function particularOf(struct: string, field: string): Particular {
  return particulars[`${struct}.${field}`] ?? none;
}
