import type { Dialect } from './dialect.ts';
import { GroupNames } from './groups.ts';
import { scatteredSchemaName } from './schema-names.ts';

const groups = new GroupNames('k8s.io');

/** The names that unmodified Kubernetes clients and controllers use. */
export const kubernetes: Dialect = {
  name: 'kubernetes',
  groupName: (id) => groups.nameOf(id),
  groupId: (name) => groups.idOf(name),
  apiVersion: (groupId, version) => (groupId === '' ? version : `${groups.nameOf(groupId)}/${version}`),
  extensionPrefix: 'x-kubernetes-',
  schemaName: (fullName) => scatteredSchemaName('io.k8s', fullName),
  title: 'Kubernetes',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
  protobufMagic: 'k8s\0',
  systemNamespaces: ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
  immortalNamespaces: ['default', 'kube-public', 'kube-system'],
  systemNamespace: 'kube-system',
  publicNamespace: 'kube-public',
  nodeLeaseNamespace: 'kube-node-lease',
  apiServiceName: 'kubernetes',
  serverName: 'kube-apiserver',
  clusterAudience: 'https://kubernetes.default.svc',
  labels: {
    namespaceName: 'kubernetes.io/metadata.name',
    serviceName: 'kubernetes.io/service-name',
    endpointSliceManagedBy: 'endpointslice.kubernetes.io/managed-by',
    endpointSliceSkipMirror: 'endpointslice.kubernetes.io/skip-mirror',
  },
  annotations: {
    initialEventsEnd: 'k8s.io/initial-events-end',
    initialEventsListBlueprint: 'kubernetes.io/initial-events-list-blueprint',
    deprecated: 'k8s.io/deprecated',
    removedRelease: 'k8s.io/removed-release',
    serviceAccountName: 'kubernetes.io/service-account.name',
    serviceAccountUid: 'kubernetes.io/service-account.uid',
    lastAppliedConfiguration: 'kubectl.kubernetes.io/last-applied-configuration',
    tolerateUnreadyEndpoints: 'service.alpha.kubernetes.io/tolerate-unready-endpoints',
    mirrorPod: 'kubernetes.io/config.mirror',
    podTolerations: 'scheduler.alpha.kubernetes.io/tolerations',
    podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
    podSeccomp: 'seccomp.security.alpha.kubernetes.io/pod',
    containerSeccompPrefix: 'container.seccomp.security.alpha.kubernetes.io/',
    containerAppArmorPrefix: 'container.apparmor.security.beta.kubernetes.io/',
  },
  finalizers: { namespace: 'kubernetes', orphan: 'orphan', foreground: 'foregroundDeletion' },
  secretTypes: {
    opaque: 'Opaque',
    serviceAccountToken: 'kubernetes.io/service-account-token',
    dockercfg: 'kubernetes.io/dockercfg',
    dockerConfigJson: 'kubernetes.io/dockerconfigjson',
    basicAuth: 'kubernetes.io/basic-auth',
    sshAuth: 'kubernetes.io/ssh-auth',
    tls: 'kubernetes.io/tls',
    bootstrapToken: 'bootstrap.kubernetes.io/token',
  },
  headers: {
    bearerProtocolPrefix: 'base64url.bearer.authorization.k8s.io.',
    flowSchemaUid: 'X-Kubernetes-PF-FlowSchema-UID',
    priorityLevelUid: 'X-Kubernetes-PF-PriorityLevel-UID',
  },
  resourceDomain: 'kubernetes.io',
  reservedDomains: ['kubernetes.io', 'k8s.io'],
  metricPrefix: 'kubernetes',
};
