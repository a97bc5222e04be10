import { list } from '../../schema/collections.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const GCEPersistentDiskVolumeSource = struct('core/v1.GCEPersistentDiskVolumeSource', {
  pdName: field(1, string, { required: true }),
  fsType: field(2, string),
  partition: field(3, int32),
  readOnly: field(4, bool),
});
export type GCEPersistentDiskVolumeSource = Infer<typeof GCEPersistentDiskVolumeSource>;

export const AWSElasticBlockStoreVolumeSource = struct('core/v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: field(1, string, { required: true }),
  fsType: field(2, string),
  partition: field(3, int32),
  readOnly: field(4, bool),
});
export type AWSElasticBlockStoreVolumeSource = Infer<typeof AWSElasticBlockStoreVolumeSource>;

export const hostPathType = named(
  'core/v1.HostPathType',
  oneOf('', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'),
);

export const HostPathVolumeSource = struct('core/v1.HostPathVolumeSource', {
  path: field(1, string, { required: true }),
  type: field(2, optional(hostPathType)),
});
export type HostPathVolumeSource = Infer<typeof HostPathVolumeSource>;

export const NFSVolumeSource = struct('core/v1.NFSVolumeSource', {
  server: field(1, string, { required: true }),
  path: field(2, string, { required: true }),
  readOnly: field(3, bool),
});
export type NFSVolumeSource = Infer<typeof NFSVolumeSource>;

export const FCVolumeSource = struct('core/v1.FCVolumeSource', {
  targetWWNs: field(1, list(string, { type: 'atomic' })),
  lun: field(2, optional(int32)),
  fsType: field(3, string),
  readOnly: field(4, bool),
  wwids: field(5, list(string, { type: 'atomic' })),
});
export type FCVolumeSource = Infer<typeof FCVolumeSource>;

export const FlockerVolumeSource = struct('core/v1.FlockerVolumeSource', {
  datasetName: field(1, string),
  datasetUUID: field(2, string),
});
export type FlockerVolumeSource = Infer<typeof FlockerVolumeSource>;

export const VsphereVirtualDiskVolumeSource = struct('core/v1.VsphereVirtualDiskVolumeSource', {
  volumePath: field(1, string, { required: true }),
  fsType: field(2, string),
  storagePolicyName: field(3, string),
  storagePolicyID: field(4, string),
});
export type VsphereVirtualDiskVolumeSource = Infer<typeof VsphereVirtualDiskVolumeSource>;

export const QuobyteVolumeSource = struct('core/v1.QuobyteVolumeSource', {
  registry: field(1, string, { required: true }),
  volume: field(2, string, { required: true }),
  readOnly: field(3, bool),
  user: field(4, string),
  group: field(5, string),
  tenant: field(6, string),
});
export type QuobyteVolumeSource = Infer<typeof QuobyteVolumeSource>;

export const AzureDiskVolumeSource = struct('core/v1.AzureDiskVolumeSource', {
  diskName: field(1, string, { required: true }),
  diskURI: field(2, string, { required: true }),
  cachingMode: field(
    3,
    optional(named('core/v1.AzureDataDiskCachingMode', oneOf('None', 'ReadOnly', 'ReadWrite'))),
    { default: 'ReadWrite' },
  ),
  fsType: field(4, optional(string), { default: 'ext4' }),
  readOnly: field(5, optional(bool), { default: false }),
  kind: field(6, optional(named('core/v1.AzureDataDiskKind', oneOf('Shared', 'Dedicated', 'Managed'))), {
    default: 'Shared',
  }),
});
export type AzureDiskVolumeSource = Infer<typeof AzureDiskVolumeSource>;

export const PhotonPersistentDiskVolumeSource = struct('core/v1.PhotonPersistentDiskVolumeSource', {
  pdID: field(1, string, { required: true }),
  fsType: field(2, string),
});
export type PhotonPersistentDiskVolumeSource = Infer<typeof PhotonPersistentDiskVolumeSource>;

export const PortworxVolumeSource = struct('core/v1.PortworxVolumeSource', {
  volumeID: field(1, string, { required: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
});
export type PortworxVolumeSource = Infer<typeof PortworxVolumeSource>;

export const GlusterfsVolumeSource = struct('core/v1.GlusterfsVolumeSource', {
  endpoints: field(1, string, { required: true }),
  path: field(2, string, { required: true }),
  readOnly: field(3, bool),
});
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;
