// Admission plugin PersistentVolumeClaimResize: a claim may only grow if its StorageClass allows volume expansion.
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { mustParseQuantity } from '../../apis/core/resource-list.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { Attributes } from '../attributes.ts';
import { ClassCache } from '../class-cache.ts';
import { newForbidden } from '../new-forbidden.ts';
import type { Plugin } from '../plugin.ts';

export class PersistentVolumeClaimResize implements Plugin<PersistentVolumeClaim, PersistentVolumeClaim> {
  readonly name = 'PersistentVolumeClaimResize';
  readonly #classes: ClassCache<StorageClass>;

  constructor(api: StorageContext) {
    this.#classes = new ClassCache(api, { group: 'storage', plural: 'storageclasses' });
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'persistentvolumeclaims' && subresource === '' && operation === 'UPDATE';
  }

  validate(attributes: Attributes<PersistentVolumeClaim, PersistentVolumeClaim>): void {
    const { object, oldObject } = attributes;
    const [size, oldSize] = [sizeOf(object), sizeOf(oldObject)];
    if (size === oldSize || compareQuantities(mustParseQuantity(size), mustParseQuantity(oldSize)) <= 0)
      return;
    const { storageClass } = attributes.api.dialect.annotations;
    const name = oldObject.metadata.annotations?.[storageClass] ?? oldObject.spec.storageClassName ?? '';
    if (name !== '' && this.#classes.get(name)?.allowVolumeExpansion) return;
    throw newForbidden(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }

  reset(): void {
    this.#classes.reset();
  }
}

const sizeOf = ({ spec }: PersistentVolumeClaim) => spec.resources.requests?.storage ?? '0';
