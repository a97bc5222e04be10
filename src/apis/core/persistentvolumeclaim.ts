// PersistentVolumeClaim and PersistentVolumeClaimTemplate: schemas.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { documentedEnum, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from './condition-status.ts';
import { TypedLocalObjectReference, TypedObjectReference } from './local-object-reference.ts';
import { resourceList } from './resource-list.ts';
import { VolumeResourceRequirements } from './resource-requirements.ts';
import { persistentVolumeAccessMode, persistentVolumeMode } from './volume-modes.ts';

export const PersistentVolumeClaimSpec = struct(
  'core/v1.PersistentVolumeClaimSpec',
  {
    accessModes: field(1, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'By how many nodes or pods at once the volume must be usable, and how. At least one.',
    }),
    selector: field(4, optional(LabelSelector), { doc: 'Labels that the volume must have.' }),
    resources: field(2, VolumeResourceRequirements, {
      doc: 'The size asked for, as requests of `storage`. It may grow once the claim is bound.',
    }),
    volumeName: field(3, string, { doc: 'The volume that the claim is bound to. It is set once.' }),
    storageClassName: field(5, optional(string), {
      doc: 'The StorageClass to take the volume from: the default class when left out, none when empty.',
    }),
    volumeMode: field(6, optional(persistentVolumeMode), {
      default: 'Filesystem',
      doc: 'Whether a file system (when left out) or a raw block device is wanted.',
    }),
    dataSource: field(7, optional(TypedLocalObjectReference), {
      doc: 'What the volume begins as: a VolumeSnapshot or another claim. What it says goes into dataSourceRef too.',
    }),
    dataSourceRef: field(8, optional(TypedObjectReference), {
      doc: 'What the volume begins as: an object of any kind that a populator knows. What it says goes into dataSource too, unless it names a namespace.',
    }),
    volumeAttributesClassName: field(9, optional(string), {
      doc: 'The VolumeAttributesClass wanted. It may change once the claim is bound. Needs the feature VolumeAttributesClass.',
    }),
  },
  { doc: 'What storage is asked for.' },
);
export type PersistentVolumeClaimSpec = Infer<typeof PersistentVolumeClaimSpec>;

const PersistentVolumeClaimCondition = struct(
  'core/v1.PersistentVolumeClaimCondition',
  {
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
      { required: true, doc: 'What the condition is about.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastProbeTime: field(3, time, { doc: 'When somebody last looked.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'Why it changed, in one word.' }),
    message: field(6, string, { doc: 'Why it changed, for people.' }),
  },
  { doc: 'Something that is going on with a claim.' },
);

const ModifyVolumeStatus = struct(
  'core/v1.ModifyVolumeStatus',
  {
    targetVolumeAttributesClassName: field(1, string, { doc: 'The class the volume is being given.' }),
    status: field(
      2,
      named(
        'core/v1.PersistentVolumeClaimModifyVolumeStatus',
        documentedEnum('Pending', 'InProgress', 'Infeasible'),
      ),
      { required: true, doc: 'How far that is.' },
    ),
  },
  { doc: 'A change of the VolumeAttributesClass under way.' },
);

const PersistentVolumeClaimStatus = struct(
  'core/v1.PersistentVolumeClaimStatus',
  {
    phase: field(1, named('core/v1.PersistentVolumeClaimPhase', documentedEnum('Pending', 'Bound', 'Lost')), {
      doc: 'Whether the claim waits for a volume, has one, or has lost it.',
    }),
    accessModes: field(2, list(persistentVolumeAccessMode, { type: 'atomic' }), {
      doc: 'The access modes of the volume.',
    }),
    capacity: field(3, resourceList, { doc: 'How large the volume is.' }),
    conditions: field(
      4,
      list(PersistentVolumeClaimCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'What is going on with the claim.' },
    ),
    allocatedResources: field(5, resourceList, {
      doc: 'What has been set aside, which may be more than there is yet while the volume grows.',
    }),
    allocatedResourceStatuses: field(
      7,
      mapOf(
        named(
          'core/v1.ClaimResourceStatus',
          documentedEnum(
            'ControllerResizeInProgress',
            'ControllerResizeInfeasible',
            'NodeResizePending',
            'NodeResizeInProgress',
            'NodeResizeInfeasible',
          ),
        ),
        { keyName: 'v1.ResourceName' },
      ),
      { mapType: 'granular', doc: 'How far resizing is, for each resource.' },
    ),
    currentVolumeAttributesClassName: field(8, optional(string), {
      doc: 'The VolumeAttributesClass the volume has.',
    }),
    modifyVolumeStatus: field(9, optional(ModifyVolumeStatus), {
      doc: 'How far a change of the VolumeAttributesClass is.',
    }),
  },
  { doc: 'What a claim got.' },
);

export const PersistentVolumeClaim = kind(
  'core/v1.PersistentVolumeClaim',
  {
    spec: field(2, PersistentVolumeClaimSpec, { doc: 'What is asked for.' }),
    status: field(3, PersistentVolumeClaimStatus, {
      doc: 'What has become of it, as the control plane sees it.',
    }),
  },
  {
    doc: 'A request for storage in a namespace, and the hold on the volume that answers it.',
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
      doc: 'Labels and annotations that the claim gets. Nothing else may be set.',
    }),
    spec: field(2, PersistentVolumeClaimSpec, {
      required: true,
      doc: 'The spec of the claim, taken as it is.',
    }),
  },
  { doc: 'A claim to be made.' },
);
export type PersistentVolumeClaimTemplate = Infer<typeof PersistentVolumeClaimTemplate>;
