// PersistentVolumeClaim and PersistentVolumeClaimTemplate: schemas.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';
import { TypedLocalObjectReference, TypedObjectReference } from './local-object-reference.ts';
import { resourceList } from './resource-list.ts';
import { VolumeResourceRequirements } from './resource-requirements.ts';
import { persistentVolumeAccessMode, persistentVolumeMode } from './volume-modes.ts';

export const PersistentVolumeClaimSpec = struct(
  'core/v1.PersistentVolumeClaimSpec',
  {
    accessModes: field(1, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'The access modes that the volume must support, at least one.',
    }),
    selector: field(4, optional(LabelSelector), { doc: 'Selects volumes by label.' }),
    resources: field(2, VolumeResourceRequirements, {
      doc: 'The requested size, as requests of `storage`. It may be increased once the claim is bound.',
    }),
    volumeName: field(3, string, {
      doc: 'The PersistentVolume that the claim is bound to. Immutable once set.',
    }),
    storageClassName: field(5, optional(string), {
      doc: 'The StorageClass of the claim. Absent: the default class. Empty: no class.',
    }),
    volumeMode: field(6, optional(persistentVolumeMode), {
      default: 'Filesystem',
      doc: 'The required volume mode: Filesystem (default) or Block.',
    }),
    dataSource: field(7, optional(TypedLocalObjectReference), {
      doc: 'The initial content of the volume: a VolumeSnapshot or another claim. The server copies it to dataSourceRef.',
    }),
    dataSourceRef: field(8, optional(TypedObjectReference), {
      doc: 'The initial content of the volume: an object of any kind with a volume populator. The server copies it to dataSource unless it has a namespace.',
    }),
    volumeAttributesClassName: field(9, optional(string), {
      doc: 'The requested VolumeAttributesClass. It may be changed once the claim is bound. Requires the feature gate VolumeAttributesClass.',
    }),
  },
  { doc: 'The specification of a PersistentVolumeClaim.' },
);
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

const PersistentVolumeClaimCondition = struct(
  'core/v1.PersistentVolumeClaimCondition',
  {
    type: field(
      1,
      named(
        'core/v1.PersistentVolumeClaimConditionType',
        openEnum(
          'Resizing',
          'FileSystemResizePending',
          'ControllerResizeError',
          'NodeResizeError',
          'ModifyVolumeError',
          'ModifyingVolume',
        ),
      ),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastProbeTime: field(3, time, { doc: 'When the condition was last probed.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(6, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a PersistentVolumeClaim.' },
);

const ModifyVolumeStatus = struct(
  'core/v1.ModifyVolumeStatus',
  {
    targetVolumeAttributesClassName: field(1, string, {
      doc: 'The VolumeAttributesClass that is being applied to the volume.',
    }),
    status: field(
      2,
      named(
        'core/v1.PersistentVolumeClaimModifyVolumeStatus',
        publishedEnum('Pending', 'InProgress', 'Infeasible'),
      ),
      { required: true, doc: 'Pending, InProgress or Infeasible.' },
    ),
  },
  { doc: 'The status of a ModifyVolume operation.' },
);

const PersistentVolumeClaimStatus = struct(
  'core/v1.PersistentVolumeClaimStatus',
  {
    phase: field(1, named('core/v1.PersistentVolumeClaimPhase', publishedEnum('Pending', 'Bound', 'Lost')), {
      doc: 'Pending, Bound or Lost.',
    }),
    accessModes: field(2, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'The access modes of the bound volume.',
    }),
    capacity: field(3, resourceList, { doc: 'The capacity of the bound volume.' }),
    conditions: field(
      4,
      list(PersistentVolumeClaimCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the claim.' },
    ),
    allocatedResources: field(5, resourceList, {
      doc: 'The storage that is allocated to the claim. It may exceed the capacity while the volume is being expanded.',
    }),
    allocatedResourceStatuses: field(
      7,
      mapOf(
        named(
          'core/v1.ClaimResourceStatus',
          publishedEnum(
            'ControllerResizeInProgress',
            'ControllerResizeInfeasible',
            'NodeResizePending',
            'NodeResizeInProgress',
            'NodeResizeInfeasible',
          ),
        ),
        { keyName: 'v1.ResourceName' },
      ),
      { mapType: 'granular', doc: 'The status of a resize, by resource.' },
    ),
    currentVolumeAttributesClassName: field(8, optional(string), {
      doc: 'The current VolumeAttributesClass of the volume.',
    }),
    modifyVolumeStatus: field(9, optional(ModifyVolumeStatus), {
      doc: 'The status of a change of the VolumeAttributesClass.',
    }),
  },
  { doc: 'The current status of a PersistentVolumeClaim.' },
);

export const PersistentVolumeClaim = kind(
  'core/v1.PersistentVolumeClaim',
  {
    spec: field(2, PersistentVolumeClaimSpec, { doc: 'The requested characteristics of the volume.' }),
    status: field(3, PersistentVolumeClaimStatus, {
      doc: 'The current status of the claim.',
    }),
  },
  {
    doc: 'A request for a PersistentVolume, and the claim to the volume that is bound to it.',
    defaults({ status }) {
      status.phase ||= 'Pending';
    },
  },
);
export type PersistentVolumeClaim = Infer<typeof PersistentVolumeClaim>;

export const PersistentVolumeClaimTemplate = struct(
  'core/v1.PersistentVolumeClaimTemplate',
  {
    metadata: field(1, ObjectMeta, {
      doc: 'Labels and annotations of the claim. No other field is allowed.',
    }),
    spec: field(2, PersistentVolumeClaimSpec, {
      required: true,
      doc: 'The specification of the claim, copied unchanged.',
    }),
  },
  { doc: 'A template for a PersistentVolumeClaim.' },
);
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;
