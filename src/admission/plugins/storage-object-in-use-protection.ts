import type { Features } from '../../kind/features/features.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

/** Keeps volumes, claims and classes that are deleted until nobody uses them, for others to find out. */
export class StorageObjectInUseProtection implements Plugin {
  readonly name = 'StorageObjectInUseProtection';
  readonly #features: Features;

  constructor(features: Features) {
    this.#features = features;
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (subresource !== '' || operation !== 'CREATE') return false;
    const { kind } = resource.definition;
    if (kind === 'VolumeAttributesClass') return this.#features.enabled('VolumeAttributesClass');
    return kind === 'PersistentVolume' || kind === 'PersistentVolumeClaim';
  }

  admit({ api, object, target }: Attributes): void {
    const { volumeProtection, claimProtection, attributesClassProtection } = api.dialect.finalizers;
    const { kind } = target.resource.definition;
    const finalizer =
      kind === 'PersistentVolume'
        ? volumeProtection
        : kind === 'PersistentVolumeClaim'
          ? claimProtection
          : attributesClassProtection;
    const { metadata } = object!;
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  }
}
