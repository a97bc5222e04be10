import { configMap, configmaps, object, paths, secrets } from './objects.ts';
import { add, remove, replace } from './patch-bodies.ts';
import type { PatchedKind } from './patch-kinds.ts';

const nodes = paths('/api/v1/nodes');
const volumes = paths('/api/v1/persistentvolumes');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');
const classes = paths('/apis/storage.k8s.io/v1/storageclasses');
const priorities = paths('/apis/scheduling.k8s.io/v1/priorityclasses');
const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');

/** Patches of what is kept, and of where. */
export const patchedStorage: Record<string, PatchedKind> = {
  ConfigMap: {
    path: configmaps,
    make: configMap('a'),
    patches: [{ data: { a: 'b' } }, { data: { a: 5 } }, { immutable: true }],
    strategic: [{ data: { $patch: 'replace' } }],
    steps: [[add('/binaryData', { k: 'eA==' })], [add('/binaryData', { j: 'eA==' })]],
  },
  Secret: {
    path: secrets,
    make: object('a', { data: { k: 'eA==' } }),
    patches: [
      { data: { a: 'eQ==' } },
      { stringData: { k: 'plain' } },
      { type: 'other' },
      { data: { a: 'y' } },
      { immutable: true },
    ],
    strategic: [{ stringData: { $patch: 'replace', k: 'plain' } }, { data: { k: 5 } }],
    steps: [[add('/stringData', { k: 'plain' })], [replace('/data/k', 'no base64!')], [remove('/data')]],
  },
  Node: {
    path: nodes,
    make: object('{name}', {
      spec: {
        taints: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    }),
    patches: [
      { spec: { unschedulable: true } },
      { spec: { providerID: 'x' } },
      { spec: { podCIDR: 'x' } },
      { spec: { externalID: 'x' } },
      { metadata: { labels: { 'a b': 'c' } } },
    ],
    strategic: [
      { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } },
      { spec: { taints: [{ effect: 'NoExecute' }] } },
      { spec: { podCIDRs: ['10.0.0.0/24'], podCIDR: '10.0.0.0/24' } },
      { spec: { podCIDRs: ['x'] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
    steps: [
      [add('/spec/taints/-', { key: 'c', effect: 'X' })],
      [remove('/spec/taints/1')],
      [add('/metadata/labels', { l: 'm' })],
    ],
  },
  PersistentVolume: {
    path: volumes,
    make: object(
      '{name}',
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          claimRef: { namespace: 'x', name: 'y' },
        },
      },
      { finalizers: ['kubernetes.io/pv-protection'] },
    ),
    patches: [
      { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      { spec: { claimRef: null } },
      { spec: { hostPath: { path: '/y' } } },
      { spec: { capacity: { storage: '2Gi' } } },
      { spec: { capacity: { storage: 'x' } } },
    ],
    strategic: [
      { spec: { $retainKeys: ['capacity', 'accessModes'] } },
      { spec: { hostPath: { $patch: 'replace' } } },
    ],
    steps: [[replace('/spec/persistentVolumeReclaimPolicy', 'X')], [remove('/spec/hostPath')]],
  },
  PersistentVolumeClaim: {
    path: claims,
    make: object(
      'a',
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: '',
        },
      },
      { finalizers: ['kubernetes.io/pvc-protection'] },
    ),
    patches: [
      { metadata: { labels: { a: 'b' } } },
      { spec: { volumeName: 'v' } },
      { spec: { volumeMode: 'Block' } },
    ],
    strategic: [{ spec: { accessModes: ['ReadOnlyMany'] } }, { spec: { resources: { $patch: 'delete' } } }],
    steps: [[replace('/spec/resources/requests/storage', '1Mi')], [add('/spec/selector', {})]],
  },
  ResourceQuota: {
    path: quotas,
    make: object('a', { spec: { hard: { pods: '5' } } }),
    patches: [
      { spec: { hard: { pods: '6', cpu: 1.5 } } },
      { spec: { hard: { pods: null } } },
      { spec: { hard: { pods: 'x' } } },
      { spec: { scopes: ['X'] } },
    ],
    strategic: [{ spec: { hard: { $patch: 'replace', cpu: '1' } } }],
    steps: [[add('/spec/hard/requests.cpu', '1')], [replace('/spec/hard/pods', true)]],
  },
  StorageClass: {
    path: classes,
    make: object('{name}', { provisioner: 'a.b/c', parameters: { x: 'y' } }),
    patches: [{ allowVolumeExpansion: true }, { provisioner: 'other' }, { parameters: { x: 'z' } }],
    strategic: [{ mountOptions: ['x'] }, { parameters: { $patch: 'delete' } }],
    steps: [[add('/metadata/annotations', { a: 'b' })], [remove('/provisioner')]],
  },
  PriorityClass: {
    path: priorities,
    make: object('{name}', { value: 5 }),
    patches: [{ description: 'x' }, { value: 6 }, { preemptionPolicy: 'Never' }, { value: 'x' }],
    strategic: [{ $retainKeys: ['value'] }],
    steps: [[add('/globalDefault', false)], [replace('/value', 7)]],
  },
};
