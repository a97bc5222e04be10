// ResourceQuota evaluator of PersistentVolumeClaims.
import type { PersistentVolumeClaim } from '../../../apis/core/persistentvolumeclaim.ts';
import { mustParseQuantity } from '../../../apis/core/resource-list.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { compareQuantities, type Quantity } from '../../../schema/quantity.ts';
import type { Evaluator } from './evaluator.ts';
import { isMet } from './scope-values.ts';
import { counted } from './usage.ts';

export function claims(total: string, dialect: Dialect): Evaluator<PersistentVolumeClaim> {
  const ofClass = `.storageclass.${dialect.groupName('storage')}/`;
  const names = new Set([total, 'persistentvolumeclaims', 'requests.storage']);
  return {
    counts: (name) =>
      names.has(name) ||
      name.endsWith(`${ofClass}persistentvolumeclaims`) ||
      name.endsWith(`${ofClass}requests.storage`),
    usage(claim) {
      const usage = new Map([
        [total, counted(1)],
        ['persistentvolumeclaims', counted(1)],
      ]);
      const size = sizeOf(claim);
      if (size) usage.set('requests.storage', size);
      const storageClass =
        claim.metadata.annotations?.[dialect.annotations.storageClass] ?? claim.spec.storageClassName;
      if (storageClass) {
        usage.set(`${storageClass}${ofClass}persistentvolumeclaims`, counted(1));
        if (size) usage.set(`${storageClass}${ofClass}requests.storage`, size);
      }
      return usage;
    },
    isIn: (scope, { spec }) =>
      scope.scopeName === 'VolumeAttributesClass' &&
      isMet(scope, spec.volumeAttributesClassName || undefined),
    growsThrough: [''],
  };
}

/** The larger of the request and of the allocated size during a resize. */
function sizeOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const [asked, allocated] = [spec.resources?.requests?.storage, status?.allocatedResources?.storage].map(
    (text) => (text === undefined ? undefined : mustParseQuantity(text)),
  );
  if (!asked || !allocated) return asked;
  return compareQuantities(asked, allocated) < 0 ? allocated : asked;
}
