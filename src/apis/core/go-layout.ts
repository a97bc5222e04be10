// Go struct layouts of pods, volumes and claims in upstream's internal version: error messages contain diffs of these
// structs, with the internal names and order of the fields.
import type { GoLayout } from '../../kind/meta/go-struct.ts';

// Each spread array is one line of names, to keep the tables short.
const container = [
  ...['name', 'image', 'command', 'args', 'workingDir', 'ports', 'envFrom', 'env', 'resources'],
  ...['resizePolicy', 'restartPolicy', 'volumeMounts', 'volumeDevices', 'livenessProbe'],
  ...['readinessProbe', 'startupProbe', 'lifecycle', 'terminationMessagePath'],
  ...['terminationMessagePolicy', 'imagePullPolicy', 'securityContext', 'stdin', 'stdinOnce', 'tty'],
];
/** Fields whose Go layout in the internal version differs from the v1 wire form. */
export const coreLayout: GoLayout = {
  order: {
    'core/v1.PodSpec': [
      ...['volumes', 'initContainers', 'containers', 'ephemeralContainers', 'restartPolicy'],
      ...['terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'dnsPolicy', 'nodeSelector'],
      ...['serviceAccountName', 'automountServiceAccountToken', 'nodeName', 'securityContext'],
      ...['imagePullSecrets', 'hostname', 'subdomain', 'setHostnameAsFQDN', 'affinity', 'schedulerName'],
      ...['tolerations', 'hostAliases', 'priorityClassName', 'priority', 'preemptionPolicy', 'dnsConfig'],
      ...['readinessGates', 'runtimeClassName', 'overhead', 'enableServiceLinks'],
      ...['topologySpreadConstraints', 'os', 'schedulingGates', 'resourceClaims', 'resources'],
    ],
    'core/v1.Container': container,
    'core/v1.EphemeralContainerCommon': container,
    'core/v1.PodSecurityContext': [
      ...['seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup', 'runAsNonRoot'],
      ...['supplementalGroups', 'supplementalGroupsPolicy', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'],
      ...['seccompProfile', 'appArmorProfile', 'seLinuxChangePolicy'],
    ],
    'core/v1.VolumeSource': [
      ...['hostPath', 'emptyDir', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'secret', 'nfs'],
      ...['iscsi', 'glusterfs', 'persistentVolumeClaim', 'rbd', 'quobyte', 'flexVolume', 'cinder', 'cephfs'],
      ...['flocker', 'downwardAPI', 'fc', 'azureFile', 'configMap', 'vsphereVolume', 'azureDisk'],
      ...['photonPersistentDisk', 'projected', 'portworxVolume', 'scaleIO', 'storageos', 'csi'],
      ...['ephemeral', 'image'],
    ],
    'core/v1.PersistentVolumeSource': [
      ...['gcePersistentDisk', 'awsElasticBlockStore', 'hostPath', 'glusterfs', 'nfs', 'rbd', 'quobyte'],
      ...['iscsi', 'flexVolume', 'cinder', 'cephfs', 'fc', 'flocker', 'azureFile', 'vsphereVolume'],
      ...['azureDisk', 'photonPersistentDisk', 'portworxVolume', 'scaleIO', 'local', 'storageos', 'csi'],
    ],
  },
  nonPointerFields: ['ServiceAccountTokenProjection.expirationSeconds'],
  names: {
    'VolumeSource.cephfs': 'CephFS',
    'VolumeSource.storageos': 'StorageOS',
    'PersistentVolumeSource.cephfs': 'CephFS',
    'PersistentVolumeSource.storageos': 'StorageOS',
    'GlusterfsVolumeSource.endpoints': 'EndpointsName',
    'GlusterfsPersistentVolumeSource.endpoints': 'EndpointsName',
    ...Object.fromEntries(
      ['RBDVolumeSource', 'RBDPersistentVolumeSource'].flatMap((struct) => [
        [`${struct}.monitors`, 'CephMonitors'],
        [`${struct}.image`, 'RBDImage'],
        [`${struct}.pool`, 'RBDPool'],
        [`${struct}.user`, 'RadosUser'],
      ]),
    ),
    ...Object.fromEntries(
      ['ISCSIVolumeSource', 'ISCSIPersistentVolumeSource'].flatMap((struct) => [
        [`${struct}.chapAuthDiscovery`, 'DiscoveryCHAPAuth'],
        [`${struct}.chapAuthSession`, 'SessionCHAPAuth'],
      ]),
    ),
    'PersistentVolumeClaimTemplate.metadata': 'ObjectMeta',
    'FCVolumeSource.wwids': 'WWIDs',
    'AzureDiskVolumeSource.diskURI': 'DataDiskURI',
    'PhotonPersistentDiskVolumeSource.pdID': 'PdID',
  },
};
