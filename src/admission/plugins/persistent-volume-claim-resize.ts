import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { quantityOf } from '../../apis/core/resource-list.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { Attributes } from '../attributes.ts';
import { Classes } from '../classes.ts';
import type { Plugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';

/** Lets a claim grow only if its class says that its volumes can. */
export class PersistentVolumeClaimResize implements Plugin {
  readonly name = 'PersistentVolumeClaimResize';
  readonly #classes: Classes<StorageClass>;

  constructor(api: Api) {
    this.#classes = new Classes(api, { group: 'storage', plural: 'storageclasses' });
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'persistentvolumeclaims' && subresource === '' && operation === 'UPDATE';
  }

  validate(attributes: Attributes): void {
    const claim = attributes.object as PersistentVolumeClaim;
    const old = attributes.old as PersistentVolumeClaim;
    const [asked, had] = [sizeOf(claim), sizeOf(old)];
    if (asked === had || compareQuantities(quantityOf(asked), quantityOf(had)) <= 0) return;
    const { storageClass } = attributes.api.dialect.annotations;
    const name = old.metadata.annotations?.[storageClass] ?? old.spec.storageClassName ?? '';
    if (name !== '' && this.#classes.get(name)?.allowVolumeExpansion) return;
    throw refusal(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }

  reset(): void {
    this.#classes.reset();
  }
}

const sizeOf = ({ spec }: PersistentVolumeClaim) => spec.resources.requests?.storage ?? '0';
