// Schema of CSIDriver.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const TokenRequest = struct(
  'storage/v1.TokenRequest',
  {
    audience: field(1, string, {
      required: true,
      present: true,
      doc: 'Whom the token is for; the API server itself when empty. No two requests name the same.',
    }),
    expirationSeconds: field(2, optional(int64), {
      doc: 'How long the token is valid: ten minutes at least; the server decides when left out.',
    }),
  },
  { doc: "A token of a pod's service account that the driver wants." },
);
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct(
  'storage/v1.CSIDriverSpec',
  {
    attachRequired: field(1, optional(bool), {
      default: true,
      doc: 'Volumes must be attached to a node before they are mounted. True when left out. It cannot be changed.',
    }),
    podInfoOnMount: field(2, optional(bool), {
      default: false,
      doc: 'The driver is told which pod a volume is mounted for: name, namespace and uid, and whether the volume is ephemeral. False when left out.',
    }),
    volumeLifecycleModes: field(
      3,
      list(named('storage/v1.VolumeLifecycleMode', oneOf('Persistent', 'Ephemeral')), { type: 'set' }),
      {
        doc: 'Whether the driver makes volumes for claims (Persistent, when left out), for single pods (Ephemeral), or both. It cannot be changed.',
      },
    ),
    storageCapacity: field(4, optional(bool), {
      default: false,
      doc: 'Pods are placed with regard to the capacity that CSIStorageCapacity objects report. False when left out.',
    }),
    fsGroupPolicy: field(
      5,
      optional(named('storage/v1.FSGroupPolicy', oneOf('ReadWriteOnceWithFSType', 'File', 'None'))),
      {
        default: 'ReadWriteOnceWithFSType',
        doc: 'Whether owner and permissions of files are changed before mounting: depending on access mode and file system (when left out), always (File), or never (None).',
      },
    ),
    tokenRequests: field(6, list(TokenRequest, { type: 'atomic' }), {
      doc: 'Tokens of the service account of the pod that the driver is handed when it mounts a volume.',
    }),
    requiresRepublish: field(7, optional(bool), {
      default: false,
      doc: 'The driver is called again and again for mounted volumes, so that it can refresh what is in them. False when left out.',
    }),
    seLinuxMount: field(8, optional(bool), {
      default: false,
      doc: 'Volumes can be mounted with an SELinux context (`-o context`). False when left out.',
    }),
    nodeAllocatableUpdatePeriodSeconds: field(9, optional(int64), {
      doc: 'How often nodes ask the driver how many volumes it can still take: ten seconds at least; never when left out. Needs the feature MutableCSINodeAllocatableCount.',
    }),
  },
  {
    doc: 'What a driver can do and wants to know.',
    defaults(spec) {
      if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    },
  },
);
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

export const CSIDriver = kind(
  'storage/v1.CSIDriver',
  {
    spec: field(2, CSIDriverSpec, { required: true, doc: 'What the driver can do and wants to know.' }),
  },
  { doc: 'A CSI volume driver that is installed in the cluster, by its name.' },
);
export type CSIDriver = Infer<typeof CSIDriver>;
