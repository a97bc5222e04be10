// The objects of simulated volumes: the StorageClass, and the PersistentVolume that is provisioned for a claim.
import type { Node } from '../apis/core/node.ts';
import type { PersistentVolumeClaim } from '../apis/core/persistentvolumeclaim.ts';
import type { StorageClass } from '../apis/storage/storageclass.ts';
import type { Manifest } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';

export const simulatedClassName = 'simulated';
/** Nothing is stored there. */
const hostPathPrefix = '/simulated-volumes';

/** The default class of a server with simulated nodes. */
export const storageClassManifest = (dialect: Dialect): Manifest =>
  ({
    apiVersion: dialect.apiVersion('storage', 'v1'),
    kind: 'StorageClass',
    metadata: {
      name: simulatedClassName,
      annotations: { [dialect.annotations.defaultStorageClass]: 'true' },
    },
    provisioner: dialect.simulation.provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  }) as Manifest;

/** As external provisioners name the volume of a claim. */
export const volumeNameFor = ({ metadata }: PersistentVolumeClaim): string => `pvc-${metadata.uid}`;

/** `node` is the node of the claim's first consumer; undefined if the volume is provisioned without one. */
export function volumeManifest(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  node: Node | undefined,
  dialect: Dialect,
): Manifest {
  const { metadata, spec } = claim;
  const { name, namespace, uid, resourceVersion } = metadata;
  const volumeName = volumeNameFor(claim);
  const { mountOptions = [], reclaimPolicy } = storageClass;
  const nodeSelectorTerms = node ? nodeTerms(node, dialect) : topologyTerms(storageClass);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeName,
      annotations: { [dialect.annotations.provisionedBy]: dialect.simulation.provisioner },
    },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? '0' },
      accessModes: spec.accessModes ?? [],
      volumeMode: spec.volumeMode ?? 'Filesystem',
      persistentVolumeReclaimPolicy: reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(mountOptions.length > 0 && { mountOptions }),
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      hostPath: { path: `${hostPathPrefix}/${volumeName}`, type: '' },
      ...(nodeSelectorTerms.length > 0 && { nodeAffinity: { required: { nodeSelectorTerms } } }),
    },
  } as unknown as Manifest;
}

/** A volume for a node is on that node. */
function nodeTerms({ metadata }: Node, { labels: { hostname } }: Dialect): object[] {
  const value = metadata.labels?.[hostname];
  return value === undefined
    ? []
    : [{ matchExpressions: [{ key: hostname, operator: 'In', values: [value] }] }];
}

const topologyTerms = ({ allowedTopologies = [] }: StorageClass): object[] =>
  allowedTopologies.map(({ matchLabelExpressions = [] }) => ({
    matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In', values })),
  }));
