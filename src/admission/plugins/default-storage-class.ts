import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { Classes, newestFirst } from '../classes.ts';
import type { Plugin } from '../plugin.ts';

/** Gives claims that name no class the one that is meant for them. */
export class DefaultStorageClass implements Plugin {
  readonly name = 'DefaultStorageClass';
  readonly #classes: Classes<StorageClass>;

  constructor(api: Api) {
    const { defaultStorageClass, betaDefaultStorageClass } = api.dialect.annotations;
    this.#classes = new Classes<StorageClass>(
      api,
      { group: 'storage', plural: 'storageclasses' },
      {
        isDefault: ({ metadata: { annotations = {} } }) =>
          annotations[defaultStorageClass] === 'true' || annotations[betaDefaultStorageClass] === 'true',
        compare: newestFirst,
      },
    );
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'persistentvolumeclaims' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes): void {
    const { metadata, spec } = object as PersistentVolumeClaim;
    if (spec.storageClassName !== undefined) return;
    // Before there was a field, this named the class.
    if (metadata.annotations?.[api.dialect.annotations.storageClass] !== undefined) return;
    const name = this.#classes.default?.metadata.name;
    if (name !== undefined) spec.storageClassName = name;
  }

  reset(): void {
    this.#classes.reset();
  }
}
