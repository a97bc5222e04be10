// ResourceQuota evaluator of PersistentVolumeClaims: counts and sizes, in total and by storage class.
import type { PersistentVolumeClaim } from '../../../apis/core/persistentvolumeclaim.ts';
import { mustParseQuantity } from '../../../apis/core/resource-list.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { compareQuantities, type Quantity } from '../../../schema/quantity.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { scopeMatchesValue } from './scope-values.ts';
import { countQuantity } from './usage.ts';

export function claimEvaluator(countName: string, dialect: Dialect): QuotaEvaluator<PersistentVolumeClaim> {
  /** In names such as `gold.storageclass.storage.k8s.io/requests.storage`. */
  const classInfix = `.storageclass.${dialect.groupName('storage')}/`;
  const names = new Set([countName, 'persistentvolumeclaims', 'requests.storage']);
  return {
    counts: (name) =>
      names.has(name) ||
      name.endsWith(`${classInfix}persistentvolumeclaims`) ||
      name.endsWith(`${classInfix}requests.storage`),
    usage(claim) {
      const usage = new Map([
        [countName, countQuantity(1)],
        ['persistentvolumeclaims', countQuantity(1)],
      ]);
      const size = sizeOf(claim);
      if (size) usage.set('requests.storage', size);
      const storageClass =
        claim.metadata.annotations?.[dialect.annotations.storageClass] ?? claim.spec.storageClassName;
      if (storageClass) {
        usage.set(`${storageClass}${classInfix}persistentvolumeclaims`, countQuantity(1));
        if (size) usage.set(`${storageClass}${classInfix}requests.storage`, size);
      }
      return usage;
    },
    matchesScope: (scope, { spec }) =>
      scope.scopeName === 'VolumeAttributesClass' &&
      scopeMatchesValue(scope, spec.volumeAttributesClassName || undefined),
    chargedSubresources: [''],
  };
}

/** The larger of the request and of the allocated size during a resize. */
function sizeOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const requested = parseIfSet(spec.resources?.requests?.storage);
  const allocated = parseIfSet(status?.allocatedResources?.storage);
  if (!requested || !allocated) return requested;
  return compareQuantities(requested, allocated) < 0 ? allocated : requested;
}

const parseIfSet = (text: string | undefined): Quantity | undefined =>
  text === undefined ? undefined : mustParseQuantity(text);
