// Admission plugin StorageObjectInUseProtection: adds the finalizers that keep storage objects while they are in use.
import type { Dialect } from '../../dialect/dialect.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Features } from '../../kind/features/features.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

export class StorageObjectInUseProtection implements Plugin<ApiObject> {
  readonly name = 'StorageObjectInUseProtection';
  readonly #features: Features;

  constructor(features: Features) {
    this.#features = features;
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (subresource !== '' || operation !== 'CREATE') return false;
    const { kind } = resource.definition;
    if (kind === 'VolumeAttributesClass') return this.#features.enabled('VolumeAttributesClass');
    return kind === 'PersistentVolume' || kind === 'PersistentVolumeClaim';
  }

  admit({ api, object, target }: Attributes<ApiObject>): void {
    const finalizer = protectionFinalizer(target.resource.definition.kind, api.dialect);
    const { metadata } = object;
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  }
}

function protectionFinalizer(kind: string, { finalizers }: Dialect): string {
  if (kind === 'PersistentVolume') return finalizers.volumeProtection;
  if (kind === 'PersistentVolumeClaim') return finalizers.claimProtection;
  return finalizers.attributesClassProtection;
}
