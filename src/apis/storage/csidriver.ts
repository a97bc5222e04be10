// CSIDriver: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, int64, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const TokenRequest = struct(
  'storage/v1.TokenRequest',
  {
    audience: field(1, string, {
      required: true,
      mustBePresent: true,
      doc: 'The intended audience of the token. Empty: the API server. Must be unique in tokenRequests.',
    }),
    expirationSeconds: field(2, optional(int64), {
      doc: "The requested lifetime of the token, at least 600 seconds. Defaults to the server's choice.",
    }),
  },
  { doc: 'A service account token that the driver needs.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct(
  'storage/v1.CSIDriverSpec',
  {
    attachRequired: field(1, optional(bool), {
      default: true,
      doc: 'Whether volumes must be attached to a node before they are mounted. Defaults to true. Immutable.',
    }),
    podInfoOnMount: field(2, optional(bool), {
      default: false,
      doc: "Whether the driver gets the pod's name, namespace and UID on mount, and whether the volume is ephemeral. Defaults to false.",
    }),
    volumeLifecycleModes: field(
      3,
      list(named('storage/v1.VolumeLifecycleMode', openEnum('Persistent', 'Ephemeral')), { type: 'set' }),
      {
        doc: 'The supported volume lifecycles: Persistent (default), Ephemeral (inline volumes of pods) or both. Immutable.',
      },
    ),
    storageCapacity: field(4, optional(bool), {
      default: false,
      doc: 'Whether the scheduler considers the capacity in CSIStorageCapacity objects. Defaults to false.',
    }),
    fsGroupPolicy: field(
      5,
      optional(named('storage/v1.FSGroupPolicy', openEnum('ReadWriteOnceWithFSType', 'File', 'None'))),
      {
        default: 'ReadWriteOnceWithFSType',
        doc: 'Whether ownership and permissions of the files are changed before mounting: ReadWriteOnceWithFSType (default; depends on access mode and fsType), File (always) or None (never).',
      },
    ),
    tokenRequests: field(6, list(TokenRequest, { type: 'atomic' }), {
      doc: "Tokens of the pod's service account that are passed to the driver on mount.",
    }),
    requiresRepublish: field(7, optional(bool), {
      default: false,
      doc: 'Whether NodePublishVolume is called periodically for mounted volumes, so that the driver can refresh their content. Defaults to false.',
    }),
    seLinuxMount: field(8, optional(bool), {
      default: false,
      doc: 'Whether the driver supports the mount option `-o context` of SELinux. Defaults to false.',
    }),
    nodeAllocatableUpdatePeriodSeconds: field(9, optional(int64), {
      doc: 'The interval in seconds at which the allocatable count of CSINode is updated, at least 10. Absent: no periodic updates. Requires the feature gate MutableCSINodeAllocatableCount.',
    }),
  },
  {
    doc: 'The specification of a CSIDriver.',
    defaults(spec) {
      if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    },
  },
);
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

export const CSIDriver = kind(
  'storage/v1.CSIDriver',
  {
    spec: field(2, CSIDriverSpec, { required: true, doc: 'The specification of the CSIDriver.' }),
  },
  { doc: 'A CSI volume driver that is installed in the cluster. Its name is that of the driver.' },
);
export type CSIDriver = Infer<typeof CSIDriver>;
