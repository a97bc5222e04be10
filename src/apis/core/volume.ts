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
    hostPath: field(1, optional(HostPathVolumeSource), { doc: 'A file or directory of the node.' }),
    emptyDir: field(2, optional(EmptyDirVolumeSource), { doc: 'A directory with the lifetime of the pod.' }),
    gcePersistentDisk: field(3, optional(GCEPersistentDiskVolumeSource), {
      doc: 'A Google Compute Engine persistent disk (deprecated).',
    }),
    awsElasticBlockStore: field(4, optional(AWSElasticBlockStoreVolumeSource), {
      doc: 'An AWS EBS volume (deprecated).',
    }),
    gitRepo: field(5, optional(GitRepoVolumeSource), { doc: 'A clone of a Git repository (deprecated).' }),
    secret: field(6, optional(SecretVolumeSource), { doc: 'The entries of a Secret as files.' }),
    nfs: field(7, optional(NFSVolumeSource), { doc: 'A directory that an NFS server exports.' }),
    iscsi: field(8, optional(ISCSIVolumeSource), { doc: 'An iSCSI disk.' }),
    glusterfs: field(9, optional(GlusterfsVolumeSource), { doc: 'A Glusterfs volume (deprecated).' }),
    persistentVolumeClaim: field(10, optional(PersistentVolumeClaimVolumeSource), {
      doc: 'The volume that is bound to a PersistentVolumeClaim.',
    }),
    rbd: field(11, optional(RBDVolumeSource), { doc: 'A RADOS block device (deprecated).' }),
    flexVolume: field(12, optional(FlexVolumeSource), {
      doc: 'A volume of an exec-based FlexVolume driver (deprecated).',
    }),
    cinder: field(13, optional(CinderVolumeSource), { doc: 'An OpenStack Cinder volume (deprecated).' }),
    cephfs: field(14, optional(CephFSVolumeSource), { doc: 'A Ceph file system (deprecated).' }),
    flocker: field(15, optional(FlockerVolumeSource), { doc: 'A Flocker dataset (deprecated).' }),
    downwardAPI: field(16, optional(DownwardAPIVolumeSource), { doc: 'Fields of the pod as files.' }),
    fc: field(17, optional(FCVolumeSource), { doc: 'A Fibre Channel volume.' }),
    azureFile: field(18, optional(AzureFileVolumeSource), { doc: 'An Azure file share (deprecated).' }),
    configMap: field(19, optional(ConfigMapVolumeSource), { doc: 'The entries of a ConfigMap as files.' }),
    vsphereVolume: field(20, optional(VsphereVirtualDiskVolumeSource), {
      doc: 'A vSphere virtual disk (deprecated).',
    }),
    quobyte: field(21, optional(QuobyteVolumeSource), { doc: 'A Quobyte volume (deprecated).' }),
    azureDisk: field(22, optional(AzureDiskVolumeSource), { doc: 'An Azure data disk (deprecated).' }),
    photonPersistentDisk: field(23, optional(PhotonPersistentDiskVolumeSource), {
      doc: 'A Photon Controller persistent disk (deprecated).',
    }),
    projected: field(26, optional(ProjectedVolumeSource), { doc: 'Several sources in one directory.' }),
    portworxVolume: field(24, optional(PortworxVolumeSource), { doc: 'A Portworx volume (deprecated).' }),
    scaleIO: field(25, optional(ScaleIOVolumeSource), { doc: 'A ScaleIO volume (deprecated).' }),
    storageos: field(27, optional(StorageOSVolumeSource), { doc: 'A StorageOS volume (deprecated).' }),
    csi: field(28, optional(CSIVolumeSource), { doc: 'An ephemeral inline volume of a CSI driver.' }),
    ephemeral: field(29, optional(EphemeralVolumeSource), {
      doc: 'A generic ephemeral volume: a PersistentVolumeClaim that is created for the pod.',
    }),
    image: field(30, optional(ImageVolumeSource), { doc: 'The content of an OCI image.' }),
  },
  { doc: 'The source of a volume: exactly one of the fields is set.' },
);
export type VolumeSource = Infer<typeof VolumeSource>;

export const Volume = struct(
  'core/v1.Volume',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the volume: a DNS label, unique in the pod.',
    }),
    ...inline(2, VolumeSource),
  },
  { doc: 'A named volume of a pod.', defaults: defaultToEmptyDir },
);
export type Volume = Infer<typeof Volume>;

const sourceFields = Object.keys(VolumeSource.fields) as (keyof VolumeSource)[];

/** A volume without a source defaults to emptyDir. */
function defaultToEmptyDir(volume: VolumeSource): void {
  if (sourceFields.every((source) => volume[source] === undefined))
    volume.emptyDir = EmptyDirVolumeSource.zero();
}
