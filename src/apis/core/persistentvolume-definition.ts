// PersistentVolume: the resource definition, with the strategy that runs on writes and the status subresource.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { PersistentVolume, type PersistentVolumeStatus } from './persistentvolume.ts';
import { persistentVolumeTable } from './persistentvolume-table.ts';
import {
  validatePersistentVolume,
  validatePersistentVolumeStatus,
  validatePersistentVolumeUpdate,
} from './persistentvolume-validation.ts';
import { persistentVolumeWarnings } from './persistentvolume-warnings.ts';

export const persistentvolumes = (context: KindContext) =>
  resource<PersistentVolume>({
    group: '',
    version: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    schema: PersistentVolume,
    table: persistentVolumeTable,
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      allowUnconditionalUpdate: true,
      prepareForCreate(object, now) {
        object.status = { phase: 'Pending', lastPhaseTransitionTime: now };
        dropDisabledFields(object, undefined, context);
      },
      validate: (object) => validatePersistentVolume(object, context),
      warningsOnCreate: (object) => persistentVolumeWarnings(object, context),
      resetFields: ['status'],
      prepareForUpdate(object, old) {
        object.status = old.status;
        dropDisabledFields(object, old, context);
      },
      validateUpdate: (object, old) => validatePersistentVolumeUpdate(object, old, context),
      warningsOnUpdate: (object) => persistentVolumeWarnings(object, context),
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resetFields: ['spec'],
          prepareForUpdate(object, old, now) {
            object.spec = old.spec;
            setPhaseTransitionTime(object.status, old.status, now);
          },
          validateUpdate: (object, old) => validatePersistentVolumeStatus(object, old, context),
        },
      },
    },
  });

/** Drops fields of disabled feature gates, unless the old object uses them. */
function dropDisabledFields(
  { spec }: PersistentVolume,
  old: PersistentVolume | undefined,
  { features }: KindContext,
) {
  if (features.enabled('VolumeAttributesClass') || old?.spec.volumeAttributesClassName !== undefined) return;
  delete spec.volumeAttributesClassName;
}

/** Sets lastPhaseTransitionTime on a phase change unless the client set it; keeps the old time otherwise. */
function setPhaseTransitionTime(
  status: PersistentVolumeStatus,
  old: PersistentVolumeStatus,
  now: string,
): void {
  const { lastPhaseTransitionTime: requestedTime } = status;
  if (status.phase !== old.phase) {
    if (requestedTime === undefined || requestedTime === old.lastPhaseTransitionTime)
      status.lastPhaseTransitionTime = now;
  } else if (requestedTime === undefined && old.lastPhaseTransitionTime !== undefined) {
    status.lastPhaseTransitionTime = old.lastPhaseTransitionTime;
  }
}
