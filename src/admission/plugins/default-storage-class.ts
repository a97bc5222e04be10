// Admission plugin DefaultStorageClass: sets the default StorageClass on claims that name none.
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { isDefaultStorageClass } from '../../apis/storage/default-class.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { ClassCache, newestFirst } from '../class-cache.ts';
import type { Plugin } from '../plugin.ts';

export class DefaultStorageClass implements Plugin<PersistentVolumeClaim> {
  readonly name = 'DefaultStorageClass';
  readonly #classes: ClassCache<StorageClass>;

  constructor(api: StorageContext) {
    this.#classes = new ClassCache<StorageClass>(
      api,
      { group: 'storage', plural: 'storageclasses' },
      {
        isDefault: (candidate) => isDefaultStorageClass(candidate, api.dialect),
        compare: newestFirst,
      },
    );
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'persistentvolumeclaims' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes<PersistentVolumeClaim>): void {
    const { metadata, spec } = object;
    if (spec.storageClassName !== undefined) return;
    // The beta annotation names a class, too.
    if (metadata.annotations?.[api.dialect.annotations.storageClass] !== undefined) return;
    const name = this.#classes.default?.metadata.name;
    if (name !== undefined) spec.storageClassName = name;
  }

  reset(): void {
    this.#classes.reset();
  }
}
