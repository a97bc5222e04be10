// Volume sources that pods and PersistentVolumes share: schemas.
import { list } from '../../schema/collections.ts';
import { bool, int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const fsTypeDoc = 'The file system type of the volume, such as ext4, xfs or ntfs. Defaults to ext4.';
export const readOnlyDoc = 'Mounts the volume read-only.';
const partitionDoc = 'The partition to mount. 0 or absent: the whole disk.';

export const GCEPersistentDiskVolumeSource = struct(
  'core/v1.GCEPersistentDiskVolumeSource',
  {
    pdName: field(1, string, { required: true, doc: 'The name of the persistent disk.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    partition: field(3, int32, { doc: partitionDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A persistent disk of Google Compute Engine. Deprecated: replaced by a CSI driver.' },
);
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const AWSElasticBlockStoreVolumeSource = struct(
  'core/v1.AWSElasticBlockStoreVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the EBS volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    partition: field(3, int32, { doc: partitionDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
  },
  { doc: 'An AWS EBS volume. Deprecated: replaced by a CSI driver.' },
);
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

const hostPathType = named(
  'core/v1.HostPathType',
  publishedEnum(
    '',
    'DirectoryOrCreate',
    'Directory',
    'FileOrCreate',
    'File',
    'Socket',
    'CharDevice',
    'BlockDevice',
  ),
);

export const HostPathVolumeSource = struct(
  'core/v1.HostPathVolumeSource',
  {
    path: field(1, string, { required: true, doc: 'A path on the node, without "..".' }),
    type: field(2, optional(hostPathType), {
      default: '',
      doc: 'The type of file that must exist at the path, or is created if missing. Empty (default): no check.',
    }),
  },
  {
    doc: "A file or directory of the node's file system. It can give the container full control over the node.",
  },
);
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const NFSVolumeSource = struct(
  'core/v1.NFSVolumeSource',
  {
    server: field(1, string, { required: true, doc: 'The host name or IP address of the NFS server.' }),
    path: field(2, string, { required: true, doc: 'The absolute path that the NFS server exports.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A directory that an NFS server exports.' },
);
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const FCVolumeSource = struct(
  'core/v1.FCVolumeSource',
  {
    targetWWNs: field(1, list(string, { type: 'atomic' }), {
      doc: 'World Wide Names of the target; requires lun. Mutually exclusive with wwids.',
    }),
    lun: field(2, optional(int32), { doc: 'The logical unit number (LUN) of the target, 0 to 255.' }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    wwids: field(5, list(string, { type: 'atomic' }), {
      doc: 'World Wide Identifiers of the volume. Mutually exclusive with targetWWNs.',
    }),
  },
  { doc: 'A Fibre Channel volume: either wwids, or targetWWNs and lun.' },
);
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlockerVolumeSource = struct(
  'core/v1.FlockerVolumeSource',
  {
    datasetName: field(1, string, {
      doc: 'The name of the Flocker dataset. Mutually exclusive with datasetUUID.',
    }),
    datasetUUID: field(2, string, {
      doc: 'The UUID of the Flocker dataset. Mutually exclusive with datasetName.',
    }),
  },
  {
    doc: 'A Flocker dataset, identified by name or by UUID. Deprecated: no longer supported by nodes.',
  },
);
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct(
  'core/v1.VsphereVirtualDiskVolumeSource',
  {
    volumePath: field(1, string, { required: true, doc: 'The path of the virtual disk in its datastore.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    storagePolicyName: field(3, string, { doc: 'The name of the storage policy of the volume.' }),
    storagePolicyID: field(4, string, { doc: 'The id of the storage policy of the volume.' }),
  },
  { doc: 'A vSphere virtual disk. Deprecated: replaced by a CSI driver.' },
);
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;

export const QuobyteVolumeSource = struct(
  'core/v1.QuobyteVolumeSource',
  {
    registry: field(1, string, {
      required: true,
      doc: 'The Quobyte registries as host:port, separated by commas.',
    }),
    volume: field(2, string, { required: true, doc: 'The name of the Quobyte volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    user: field(4, string, { doc: 'The user that mounts the volume.' }),
    group: field(5, string, { doc: 'The group that mounts the volume.' }),
    tenant: field(6, string, { doc: 'The Quobyte tenant that owns a dynamically provisioned volume.' }),
  },
  { doc: 'A Quobyte volume. Deprecated: no longer supported by nodes.' },
);
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const AzureDiskVolumeSource = struct(
  'core/v1.AzureDiskVolumeSource',
  {
    diskName: field(1, string, { required: true, doc: 'The name of the data disk.' }),
    diskURI: field(2, string, {
      required: true,
      doc: 'The URI of the disk: a resource path for kind Managed, otherwise the URL of a blob.',
    }),
    cachingMode: field(
      3,
      optional(named('core/v1.AzureDataDiskCachingMode', publishedEnum('None', 'ReadOnly', 'ReadWrite'))),
      {
        default: 'ReadWrite',
        isDefaultPublished: true,
        doc: 'The host caching mode: None, ReadOnly or ReadWrite.',
      },
    ),
    fsType: field(4, optional(string), { default: 'ext4', isDefaultPublished: true, doc: fsTypeDoc }),
    readOnly: field(5, optional(bool), { default: false, isDefaultPublished: true, doc: readOnlyDoc }),
    kind: field(
      6,
      optional(named('core/v1.AzureDataDiskKind', publishedEnum('Shared', 'Dedicated', 'Managed'))),
      {
        default: 'Shared',
        isDefaultPublished: true,
        doc: 'Shared (several disks per storage account), Dedicated (one disk per storage account) or Managed.',
      },
    ),
  },
  { doc: 'An Azure data disk. Deprecated: replaced by a CSI driver.' },
);
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct(
  'core/v1.PhotonPersistentDiskVolumeSource',
  {
    pdID: field(1, string, { required: true, doc: 'The id of the persistent disk.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
  },
  { doc: 'A Photon Controller persistent disk. Deprecated: no longer supported by nodes.' },
);
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const PortworxVolumeSource = struct(
  'core/v1.PortworxVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the Portworx volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Portworx volume. Deprecated: replaced by a CSI driver.' },
);
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;
