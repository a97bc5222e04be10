// Volume sources that pods and PersistentVolumes share: schemas.
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const fsTypeDoc = 'The file system on the volume, e.g. ext4, xfs or ntfs; ext4 when left out.';
export const readOnlyDoc = 'Mounted for reading only.';
const partitionDoc = 'Which partition to mount; the whole disk when left out or 0.';

export const GCEPersistentDiskVolumeSource = struct(
  'core/v1.GCEPersistentDiskVolumeSource',
  {
    pdName: field(1, string, { required: true, doc: 'The name of the disk.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    partition: field(3, int32, { doc: partitionDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A disk of Google Compute Engine. Deprecated: a CSI driver stands in for it.' },
);
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const AWSElasticBlockStoreVolumeSource = struct(
  'core/v1.AWSElasticBlockStoreVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the disk.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    partition: field(3, int32, { doc: partitionDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A disk of Amazon EBS. Deprecated: a CSI driver stands in for it.' },
);
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

const hostPathType = named(
  'core/v1.HostPathType',
  documentedEnum(
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
      doc: 'What must be there, or is made where nothing is. Empty when left out: nothing is checked.',
    }),
  },
  { doc: "A file or folder of the node's own. Whoever may use it may do anything to the node." },
);
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const NFSVolumeSource = struct(
  'core/v1.NFSVolumeSource',
  {
    server: field(1, string, { required: true, doc: 'The name or address of the server.' }),
    path: field(2, string, { required: true, doc: 'The path that the server exports, from its root.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A folder that an NFS server exports.' },
);
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const FCVolumeSource = struct(
  'core/v1.FCVolumeSource',
  {
    targetWWNs: field(1, list(string, { type: 'atomic' }), {
      doc: 'World wide names of the target; needs lun. Exclusive with wwids.',
    }),
    lun: field(2, optional(int32), { doc: 'The number of the unit at the target, 0 to 255.' }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    wwids: field(5, list(string, { type: 'atomic' }), {
      doc: 'World wide identifiers of the volume. Exclusive with targetWWNs.',
    }),
  },
  { doc: 'A Fibre Channel volume: either wwids, or targetWWNs and lun.' },
);
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlockerVolumeSource = struct(
  'core/v1.FlockerVolumeSource',
  {
    datasetName: field(1, string, { doc: 'The name of the data set. Exclusive with datasetUUID.' }),
    datasetUUID: field(2, string, { doc: 'The id of the data set. Exclusive with datasetName.' }),
  },
  {
    doc: 'A Flocker data set, by exactly one of its name and id. Deprecated, and mounted by nothing any more.',
  },
);
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct(
  'core/v1.VsphereVirtualDiskVolumeSource',
  {
    volumePath: field(1, string, { required: true, doc: 'The path of the disk in its data store.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    storagePolicyName: field(3, string, { doc: 'The name of the storage policy it was made by.' }),
    storagePolicyID: field(4, string, { doc: 'The id of that policy.' }),
  },
  { doc: 'A virtual disk of vSphere. Deprecated: a CSI driver stands in for it.' },
);
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;

export const QuobyteVolumeSource = struct(
  'core/v1.QuobyteVolumeSource',
  {
    registry: field(1, string, { required: true, doc: 'The registries as host:port, separated by commas.' }),
    volume: field(2, string, { required: true, doc: 'The name of the volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    user: field(4, string, { doc: 'The user it is mounted as.' }),
    group: field(5, string, { doc: 'The group it is mounted as.' }),
    tenant: field(6, string, { doc: 'The tenant that owns the volume, where it was made for one.' }),
  },
  { doc: 'A Quobyte volume. Deprecated, and mounted by nothing any more.' },
);
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const AzureDiskVolumeSource = struct(
  'core/v1.AzureDiskVolumeSource',
  {
    diskName: field(1, string, { required: true, doc: 'The name of the disk.' }),
    diskURI: field(2, string, {
      required: true,
      doc: 'Where it is: a resource path for a managed disk, otherwise the URL of a blob.',
    }),
    cachingMode: field(
      3,
      optional(named('core/v1.AzureDataDiskCachingMode', documentedEnum('None', 'ReadOnly', 'ReadWrite'))),
      { default: 'ReadWrite', announced: true, doc: 'What the host caches.' },
    ),
    fsType: field(4, optional(string), { default: 'ext4', announced: true, doc: fsTypeDoc }),
    readOnly: field(5, optional(bool), { default: false, announced: true, doc: readOnlyDoc }),
    kind: field(
      6,
      optional(named('core/v1.AzureDataDiskKind', documentedEnum('Shared', 'Dedicated', 'Managed'))),
      {
        default: 'Shared',
        announced: true,
        doc: 'Several disks per storage account, one disk per account, or a managed disk.',
      },
    ),
  },
  { doc: 'A data disk of Azure. Deprecated: a CSI driver stands in for it.' },
);
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct(
  'core/v1.PhotonPersistentDiskVolumeSource',
  {
    pdID: field(1, string, { required: true, doc: 'The id of the disk.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
  },
  { doc: 'A Photon disk. Deprecated, and mounted by nothing any more.' },
);
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const PortworxVolumeSource = struct(
  'core/v1.PortworxVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Portworx volume. Deprecated: a CSI driver stands in for it.' },
);
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;
