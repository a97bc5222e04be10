import { list, mapOf } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { conditionStatus } from './condition-status.ts';
import { TypedLocalObjectReference, TypedObjectReference } from './local-object-reference.ts';
import { resourceList } from './resource-list.ts';
import { VolumeResourceRequirements } from './resource-requirements.ts';
import { persistentVolumeAccessMode, persistentVolumeMode } from './volume-modes.ts';

export const PersistentVolumeClaimSpec = struct('core/v1.PersistentVolumeClaimSpec', {
  accessModes: field(1, list(persistentVolumeAccessMode, { type: 'atomic' })),
  selector: field(4, optional(LabelSelector)),
  resources: field(2, VolumeResourceRequirements),
  volumeName: field(3, string),
  storageClassName: field(5, optional(string)),
  volumeMode: field(6, optional(persistentVolumeMode)),
  dataSource: field(7, optional(TypedLocalObjectReference)),
  dataSourceRef: field(8, optional(TypedObjectReference)),
  volumeAttributesClassName: field(9, optional(string)),
});
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

export const PersistentVolumeClaimCondition = struct('core/v1.PersistentVolumeClaimCondition', {
  type: field(
    1,
    named(
      'core/v1.PersistentVolumeClaimConditionType',
      oneOf(
        'Resizing',
        'FileSystemResizePending',
        'ControllerResizeError',
        'NodeResizeError',
        'ModifyVolumeError',
        'ModifyingVolume',
      ),
    ),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
});
export type PersistentVolumeClaimCondition = Infer<typeof PersistentVolumeClaimCondition>;

export const ModifyVolumeStatus = struct('core/v1.ModifyVolumeStatus', {
  targetVolumeAttributesClassName: field(1, string),
  status: field(
    2,
    named('core/v1.PersistentVolumeClaimModifyVolumeStatus', oneOf('Pending', 'InProgress', 'Infeasible')),
    { required: true },
  ),
});
export type ModifyVolumeStatus = Infer<typeof ModifyVolumeStatus>;

export const PersistentVolumeClaimStatus = struct('core/v1.PersistentVolumeClaimStatus', {
  phase: field(1, named('core/v1.PersistentVolumeClaimPhase', oneOf('Pending', 'Bound', 'Lost'))),
  accessModes: field(2, list(persistentVolumeAccessMode, { type: 'atomic' })),
  capacity: field(3, resourceList),
  conditions: field(
    4,
    list(PersistentVolumeClaimCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
  allocatedResources: field(5, resourceList),
  allocatedResourceStatuses: field(
    7,
    mapOf(
      named(
        'core/v1.ClaimResourceStatus',
        oneOf(
          'ControllerResizeInProgress',
          'ControllerResizeInfeasible',
          'NodeResizePending',
          'NodeResizeInProgress',
          'NodeResizeInfeasible',
        ),
      ),
      { keyName: 'v1.ResourceName' },
    ),
    { mapType: 'granular' },
  ),
  currentVolumeAttributesClassName: field(8, optional(string)),
  modifyVolumeStatus: field(9, optional(ModifyVolumeStatus)),
});
export type PersistentVolumeClaimStatus = Infer<typeof PersistentVolumeClaimStatus>;

export const PersistentVolumeClaim = kind(
  'core/v1.PersistentVolumeClaim',
  {
    spec: field(2, PersistentVolumeClaimSpec),
    status: field(3, PersistentVolumeClaimStatus),
  },
  { doc: '' },
);
export type PersistentVolumeClaim = Infer<typeof PersistentVolumeClaim>;

export const PersistentVolumeClaimTemplate = struct('core/v1.PersistentVolumeClaimTemplate', {
  metadata: field(1, ObjectMeta),
  spec: field(2, PersistentVolumeClaimSpec, { required: true }),
});
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;

export const persistentvolumeclaims = (context: KindContext) =>
  resource<PersistentVolumeClaim>({
    group: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    schema: PersistentVolumeClaim,
    strategy: { ...plainStrategy(context, PersistentVolumeClaim), deleteReturnsObject: true },
    subresources: { status: statusOf(context, PersistentVolumeClaim) },
  });
