import type { Dialect } from './dialect.ts';
import { GroupNames } from './groups.ts';
import { plainSchemaName } from './schema-names.ts';

const groups = new GroupNames('orch.io');

/** The product's own names. */
export const orch: Dialect = {
  name: 'orch',
  groupName: (id) => groups.nameOf(id),
  groupId: (name) => groups.idOf(name),
  apiVersion: (groupId, version) => (groupId === '' ? version : `${groups.nameOf(groupId)}/${version}`),
  extensionPrefix: 'x-orch-',
  schemaName: (fullName) => plainSchemaName('io.orch', fullName),
  title: 'Orch',
  protobufMediaType: 'application/vnd.orch.protobuf',
  protobufMagic: 'k8s\0',
  systemNamespaces: ['default', 'orch-node-lease', 'orch-public', 'orch-system'],
  immortalNamespaces: ['default', 'orch-public', 'orch-system'],
  systemNamespace: 'orch-system',
  publicNamespace: 'orch-public',
  nodeLeaseNamespace: 'orch-node-lease',
  apiServiceName: 'orch',
  serverName: 'orch-apiserver',
  clusterAudience: 'https://orch.default.svc',
  labels: {
    namespaceName: 'orch.io/metadata.name',
    serviceName: 'orch.io/service-name',
    endpointSliceManagedBy: 'endpointslice.orch.io/managed-by',
    endpointSliceSkipMirror: 'endpointslice.orch.io/skip-mirror',
  },
  annotations: {
    initialEventsEnd: 'orch.io/initial-events-end',
    initialEventsListBlueprint: 'orch.io/initial-events-list-blueprint',
    deprecated: 'orch.io/deprecated',
    removedRelease: 'orch.io/removed-release',
    serviceAccountName: 'orch.io/service-account.name',
    serviceAccountUid: 'orch.io/service-account.uid',
    lastAppliedConfiguration: 'kubectl.orch.io/last-applied-configuration',
    tolerateUnreadyEndpoints: 'service.alpha.orch.io/tolerate-unready-endpoints',
    mirrorPod: 'orch.io/config.mirror',
    podTolerations: 'scheduler.alpha.orch.io/tolerations',
    podDeletionCost: 'controller.orch.io/pod-deletion-cost',
    podSeccomp: 'seccomp.security.alpha.orch.io/pod',
    containerSeccompPrefix: 'container.seccomp.security.alpha.orch.io/',
    containerAppArmorPrefix: 'container.apparmor.security.beta.orch.io/',
  },
  finalizers: { namespace: 'orch', orphan: 'orphan', foreground: 'foregroundDeletion' },
  secretTypes: {
    opaque: 'Opaque',
    serviceAccountToken: 'orch.io/service-account-token',
    dockercfg: 'orch.io/dockercfg',
    dockerConfigJson: 'orch.io/dockerconfigjson',
    basicAuth: 'orch.io/basic-auth',
    sshAuth: 'orch.io/ssh-auth',
    tls: 'orch.io/tls',
    bootstrapToken: 'bootstrap.orch.io/token',
  },
  headers: {
    bearerProtocolPrefix: 'base64url.bearer.authorization.orch.io.',
    flowSchemaUid: 'X-Orch-PF-FlowSchema-UID',
    priorityLevelUid: 'X-Orch-PF-PriorityLevel-UID',
  },
  resourceDomain: 'orch.io',
  reservedDomains: ['orch.io'],
  metricPrefix: 'orch',
};
