// Volume sources of pods: those that only pods have, and those whose Secret is in the pod's namespace: schemas.
import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, int32, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { fsTypeDoc, readOnlyDoc } from './attached-volume-sources.ts';
import { imageTag } from './container-image.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { PersistentVolumeClaimTemplate } from './persistentvolumeclaim.ts';
import { pullPolicy } from './pull-policy.ts';

const secretDoc = 'A Secret with credentials, in the namespace of the pod.';

export const EmptyDirVolumeSource = struct(
  'core/v1.EmptyDirVolumeSource',
  {
    medium: field(1, named('core/v1.StorageMedium', openEnum('', 'Memory', 'HugePages', 'HugePages-')), {
      doc: "The storage medium: empty for the node's disk, Memory, HugePages or HugePages-<size>.",
    }),
    sizeLimit: field(2, optional(quantity), { doc: 'The maximum size of the volume.' }),
  },
  { doc: 'A directory that is initially empty and is deleted with the pod.' },
);
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const GitRepoVolumeSource = struct(
  'core/v1.GitRepoVolumeSource',
  {
    repository: field(1, string, { required: true, doc: 'The URL of the Git repository.' }),
    revision: field(2, string, { doc: 'The commit to check out.' }),
    directory: field(3, string, {
      doc: 'The relative target directory, without "..". `.` is the volume itself. Defaults to a subdirectory with the name of the repository.',
    }),
  },
  { doc: 'A clone of a Git repository. Deprecated and disabled: clone in an init container instead.' },
);
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const ISCSIVolumeSource = struct(
  'core/v1.ISCSIVolumeSource',
  {
    targetPortal: field(1, string, {
      required: true,
      doc: 'The address of the iSCSI target portal, with the port if it is not 860 or 3260.',
    }),
    iqn: field(2, string, {
      required: true,
      doc: 'The iSCSI qualified name of the target (iqn., eui. or naa.).',
    }),
    lun: field(3, int32, {
      required: true,
      mustBePresent: true,
      doc: 'The logical unit number (LUN) of the target, 0 to 255.',
    }),
    iscsiInterface: field(4, string, {
      default: 'default',
      isDefaultPublished: true,
      doc: 'The iSCSI interface. `default` is TCP.',
    }),
    fsType: field(5, string, { doc: fsTypeDoc }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
    portals: field(7, list(string, { type: 'atomic' }), { doc: 'Further portals of the same target.' }),
    chapAuthDiscovery: field(8, bool, { doc: 'Uses CHAP authentication for discovery; requires secretRef.' }),
    chapAuthSession: field(11, bool, { doc: 'Uses CHAP authentication for sessions; requires secretRef.' }),
    secretRef: field(10, optional(LocalObjectReference), { doc: secretDoc }),
    initiatorName: field(12, optional(string), {
      doc: 'The iSCSI initiator name. If iscsiInterface is set too, an interface is created for this volume.',
    }),
  },
  { doc: 'An iSCSI disk.' },
);
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const GlusterfsVolumeSource = struct(
  'core/v1.GlusterfsVolumeSource',
  {
    endpoints: field(1, string, {
      required: true,
      doc: 'The name of the Endpoints that list the Gluster servers.',
    }),
    path: field(2, string, { required: true, doc: 'The path of the Glusterfs volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Glusterfs volume. Deprecated: no longer supported by nodes.' },
);
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;

export const PersistentVolumeClaimVolumeSource = struct(
  'core/v1.PersistentVolumeClaimVolumeSource',
  {
    claimName: field(1, string, {
      required: true,
      doc: 'The name of a PersistentVolumeClaim in the namespace of the pod.',
    }),
    readOnly: field(2, bool, { doc: 'Forces all mounts of the volume to be read-only.' }),
  },
  { doc: 'The volume that is bound to a PersistentVolumeClaim.' },
);
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const RBDVolumeSource = struct(
  'core/v1.RBDVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The addresses of the Ceph monitors.',
    }),
    image: field(2, string, { required: true, doc: 'The name of the RBD image.' }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    pool: field(4, string, { default: 'rbd', isDefaultPublished: true, doc: 'The RBD pool of the image.' }),
    user: field(5, string, { default: 'admin', isDefaultPublished: true, doc: 'The RADOS user name.' }),
    keyring: field(6, string, {
      default: '/etc/ceph/keyring',
      isDefaultPublished: true,
      doc: 'The path of the keyring of the RADOS user.',
    }),
    secretRef: field(7, optional(LocalObjectReference), { doc: `${secretDoc} Overrides keyring.` }),
    readOnly: field(8, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A RADOS block device (Ceph RBD). Deprecated: no longer supported by nodes.' },
);
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const FlexVolumeSource = struct(
  'core/v1.FlexVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the FlexVolume driver.' }),
    fsType: field(2, string, { doc: "The file system type of the volume. Defaults to the driver's choice." }),
    secretRef: field(3, optional(LocalObjectReference), { doc: secretDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    options: field(5, mapOf(string), {
      doc: "Driver-specific options. Keys under the service's own domains are reserved.",
    }),
  },
  { doc: 'A volume of an exec-based FlexVolume driver on the node. Deprecated in favour of CSI.' },
);
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const CinderVolumeSource = struct(
  'core/v1.CinderVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the Cinder volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretRef: field(4, optional(LocalObjectReference), { doc: secretDoc }),
  },
  { doc: 'An OpenStack Cinder volume. Deprecated: replaced by a CSI driver.' },
);
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const CephFSVolumeSource = struct(
  'core/v1.CephFSVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The addresses of the Ceph monitors.',
    }),
    path: field(2, string, { doc: 'The directory to mount. Defaults to the root of the file system.' }),
    user: field(3, string, { doc: 'The RADOS user name. Defaults to admin.' }),
    secretFile: field(4, string, { doc: 'The path of the keyring of the user.' }),
    secretRef: field(5, optional(LocalObjectReference), { doc: `${secretDoc} Overrides secretFile.` }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph file system. Deprecated: no longer supported by nodes.' },
);
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const AzureFileVolumeSource = struct(
  'core/v1.AzureFileVolumeSource',
  {
    secretName: field(1, string, {
      required: true,
      doc: 'The Secret with the name and key of the Azure storage account.',
    }),
    shareName: field(2, string, { required: true, doc: 'The name of the Azure file share.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'An Azure file share. Deprecated: replaced by a CSI driver.' },
);
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const ScaleIOVolumeSource = struct(
  'core/v1.ScaleIOVolumeSource',
  {
    gateway: field(1, string, { required: true, doc: 'The address of the ScaleIO API gateway.' }),
    system: field(2, string, { required: true, doc: 'The name of the ScaleIO storage system.' }),
    secretRef: field(3, optional(LocalObjectReference), { required: true, doc: secretDoc }),
    sslEnabled: field(4, bool, { doc: 'Uses TLS for the gateway.' }),
    protectionDomain: field(5, string, { doc: 'The ScaleIO protection domain of the volume.' }),
    storagePool: field(6, string, { doc: 'The storage pool of the protection domain.' }),
    storageMode: field(7, string, {
      default: 'ThinProvisioned',
      isDefaultPublished: true,
      doc: 'The storage mode: ThinProvisioned or ThickProvisioned.',
    }),
    volumeName: field(8, string, { doc: 'The name of an existing ScaleIO volume.' }),
    fsType: field(9, string, {
      default: 'xfs',
      isDefaultPublished: true,
      doc: 'The file system type of the volume. Defaults to xfs.',
    }),
    readOnly: field(10, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A ScaleIO volume. Deprecated: no longer supported by nodes.' },
);
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct(
  'core/v1.StorageOSVolumeSource',
  {
    volumeName: field(1, string, {
      doc: 'The name of the StorageOS volume, unique in its StorageOS namespace.',
    }),
    volumeNamespace: field(2, string, {
      doc: 'The StorageOS namespace of the volume. Defaults to the namespace of the pod.',
    }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    secretRef: field(5, optional(LocalObjectReference), { doc: secretDoc }),
  },
  { doc: 'A StorageOS volume. Deprecated: no longer supported by nodes.' },
);
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;

export const CSIVolumeSource = struct(
  'core/v1.CSIVolumeSource',
  {
    driver: field(1, string, {
      required: true,
      doc: 'The name of the CSI driver, as registered by its CSIDriver.',
    }),
    readOnly: field(2, optional(bool), { doc: `${readOnlyDoc} Defaults to false.` }),
    fsType: field(3, optional(string), {
      doc: "The file system type of the volume. Defaults to the driver's choice.",
    }),
    volumeAttributes: field(4, mapOf(string), { doc: 'Driver-specific attributes of the volume.' }),
    nodePublishSecretRef: field(5, optional(LocalObjectReference), {
      doc: 'The Secret for the CSI calls NodePublishVolume and NodeUnpublishVolume.',
    }),
  },
  { doc: 'An ephemeral inline volume that a CSI driver creates for the pod.' },
);
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const EphemeralVolumeSource = struct(
  'core/v1.EphemeralVolumeSource',
  {
    volumeClaimTemplate: field(1, optional(PersistentVolumeClaimTemplate), {
      doc: 'The template of the PersistentVolumeClaim, which is named <pod name>-<volume name> and owned by the pod. The pod is rejected if that name is invalid, and does not start while another claim has the name. Required.',
    }),
  },
  {
    doc: 'A generic ephemeral volume: a PersistentVolumeClaim that is created for the pod and deleted with it.',
  },
);
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const ImageVolumeSource = struct(
  'core/v1.ImageVolumeSource',
  {
    reference: field(1, string, { doc: 'The reference of the OCI image or artifact.' }),
    pullPolicy: field(2, pullPolicy, {
      doc: 'When the image is pulled. Defaults to Always for the tag latest or no tag, otherwise to IfNotPresent.',
    }),
  },
  {
    doc: 'The content of an OCI image or artifact, mounted read-only. Requires the feature gate ImageVolume.',
    defaults(source) {
      source.pullPolicy ||= imageTag(source.reference ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
    },
  },
);
export type ImageVolumeSource = Infer<typeof ImageVolumeSource>;
