// Volume and VolumeSource: schemas and defaults.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './attached-volume-sources.ts';
import {
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  FlexVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ImageVolumeSource,
  ISCSIVolumeSource,
  PersistentVolumeClaimVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
} from './pod-volume-sources.ts';
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './projected-volume.ts';

export const VolumeSource = struct(
  'core/v1.VolumeSource',
  {
    hostPath: field(1, optional(HostPathVolumeSource), { doc: 'A file or folder of the node.' }),
    emptyDir: field(2, optional(EmptyDirVolumeSource), { doc: 'A folder that lives as long as the pod.' }),
    gcePersistentDisk: field(3, optional(GCEPersistentDiskVolumeSource), {
      doc: 'A disk of Google Compute Engine (deprecated).',
    }),
    awsElasticBlockStore: field(4, optional(AWSElasticBlockStoreVolumeSource), {
      doc: 'A disk of Amazon EBS (deprecated).',
    }),
    gitRepo: field(5, optional(GitRepoVolumeSource), { doc: 'A Git repository (deprecated).' }),
    secret: field(6, optional(SecretVolumeSource), { doc: 'A Secret as files.' }),
    nfs: field(7, optional(NFSVolumeSource), { doc: 'A folder of an NFS server.' }),
    iscsi: field(8, optional(ISCSIVolumeSource), { doc: 'An iSCSI disk.' }),
    glusterfs: field(9, optional(GlusterfsVolumeSource), { doc: 'A Glusterfs volume (deprecated).' }),
    persistentVolumeClaim: field(10, optional(PersistentVolumeClaimVolumeSource), {
      doc: 'The volume of a PersistentVolumeClaim.',
    }),
    rbd: field(11, optional(RBDVolumeSource), { doc: 'A Ceph block device (deprecated).' }),
    flexVolume: field(12, optional(FlexVolumeSource), {
      doc: 'A volume of a driver on the node (deprecated).',
    }),
    cinder: field(13, optional(CinderVolumeSource), { doc: 'A volume of OpenStack Cinder (deprecated).' }),
    cephfs: field(14, optional(CephFSVolumeSource), { doc: 'A Ceph file system (deprecated).' }),
    flocker: field(15, optional(FlockerVolumeSource), { doc: 'A Flocker data set (deprecated).' }),
    downwardAPI: field(16, optional(DownwardAPIVolumeSource), { doc: 'Facts about the pod as files.' }),
    fc: field(17, optional(FCVolumeSource), { doc: 'A Fibre Channel volume.' }),
    azureFile: field(18, optional(AzureFileVolumeSource), { doc: 'A file share of Azure (deprecated).' }),
    configMap: field(19, optional(ConfigMapVolumeSource), { doc: 'A ConfigMap as files.' }),
    vsphereVolume: field(20, optional(VsphereVirtualDiskVolumeSource), {
      doc: 'A virtual disk of vSphere (deprecated).',
    }),
    quobyte: field(21, optional(QuobyteVolumeSource), { doc: 'A Quobyte volume (deprecated).' }),
    azureDisk: field(22, optional(AzureDiskVolumeSource), { doc: 'A data disk of Azure (deprecated).' }),
    photonPersistentDisk: field(23, optional(PhotonPersistentDiskVolumeSource), {
      doc: 'A Photon disk (deprecated).',
    }),
    projected: field(26, optional(ProjectedVolumeSource), { doc: 'Files from several sources.' }),
    portworxVolume: field(24, optional(PortworxVolumeSource), { doc: 'A Portworx volume (deprecated).' }),
    scaleIO: field(25, optional(ScaleIOVolumeSource), { doc: 'A ScaleIO volume (deprecated).' }),
    storageos: field(27, optional(StorageOSVolumeSource), { doc: 'A StorageOS volume (deprecated).' }),
    csi: field(28, optional(CSIVolumeSource), { doc: 'A volume that a CSI driver makes for the pod.' }),
    ephemeral: field(29, optional(EphemeralVolumeSource), { doc: 'A claim that is made for the pod.' }),
    image: field(30, optional(ImageVolumeSource), { doc: 'The content of an OCI image.' }),
  },
  { doc: 'Where the content of a volume comes from: exactly one of the fields.' },
);
export type VolumeSource = Infer<typeof VolumeSource>;

export const Volume = struct(
  'core/v1.Volume',
  {
    name: field(1, string, {
      required: true,
      doc: 'What containers mount it by: a DNS label, unique within the pod.',
    }),
    ...inline(2, VolumeSource),
  },
  { doc: 'A named volume that the containers of a pod can mount.', defaults: defaultToEmptyDir },
);
export type Volume = Infer<typeof Volume>;

const sourceFields = Object.keys(VolumeSource.fields) as (keyof VolumeSource)[];

/** A volume without a source defaults to emptyDir. */
function defaultToEmptyDir(volume: VolumeSource): void {
  if (sourceFields.every((source) => volume[source] === undefined))
    volume.emptyDir = EmptyDirVolumeSource.zero();
}
