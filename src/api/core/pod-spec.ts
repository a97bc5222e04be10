import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { Affinity, TopologySpreadConstraint } from './affinity.ts';
import { Container, EphemeralContainer } from './container.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { podConditionType } from './pod-status.ts';
import { preemptionPolicy } from './preemption-policy.ts';
import { resourceList } from './resource-list.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { PodSecurityContext } from './security-context.ts';
import { Toleration } from './toleration.ts';
import { Volume } from './volume.ts';

export const HostAlias = struct('core/v1.HostAlias', {
  ip: field(1, string, { required: true }),
  hostnames: field(2, list(string, { type: 'atomic' })),
});
export type HostAlias = Infer<typeof HostAlias>;

export const PodDNSConfigOption = struct('core/v1.PodDNSConfigOption', {
  name: field(1, string),
  value: field(2, optional(string)),
});
export type PodDNSConfigOption = Infer<typeof PodDNSConfigOption>;

export const PodDNSConfig = struct('core/v1.PodDNSConfig', {
  nameservers: field(1, list(string, { type: 'atomic' })),
  searches: field(2, list(string, { type: 'atomic' })),
  options: field(3, list(PodDNSConfigOption, { type: 'atomic' })),
});
export type PodDNSConfig = Infer<typeof PodDNSConfig>;

export const PodReadinessGate = struct('core/v1.PodReadinessGate', {
  conditionType: field(1, podConditionType, { required: true }),
});
export type PodReadinessGate = Infer<typeof PodReadinessGate>;

export const PodOS = struct('core/v1.PodOS', {
  name: field(1, named('core/v1.OSName', oneOf('linux', 'windows')), { required: true }),
});
export type PodOS = Infer<typeof PodOS>;

export const PodSchedulingGate = struct('core/v1.PodSchedulingGate', {
  name: field(1, string, { required: true }),
});
export type PodSchedulingGate = Infer<typeof PodSchedulingGate>;

export const PodResourceClaim = struct('core/v1.PodResourceClaim', {
  name: field(1, string, { required: true }),
  resourceClaimName: field(3, optional(string)),
  resourceClaimTemplateName: field(4, optional(string)),
});
export type PodResourceClaim = Infer<typeof PodResourceClaim>;

export const PodSpec = struct('core/v1.PodSpec', {
  volumes: field(
    1,
    list(Volume, { type: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' }),
  ),
  initContainers: field(
    20,
    list(Container, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
  containers: field(2, list(Container, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    required: true,
  }),
  ephemeralContainers: field(
    34,
    list(EphemeralContainer, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
  restartPolicy: field(3, named('core/v1.RestartPolicy', oneOf('Always', 'OnFailure', 'Never'))),
  terminationGracePeriodSeconds: field(4, optional(int64)),
  activeDeadlineSeconds: field(5, optional(int64)),
  dnsPolicy: field(
    6,
    named('core/v1.DNSPolicy', oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')),
  ),
  nodeSelector: field(7, mapOf(string, { atomic: true })),
  serviceAccountName: field(8, string),
  serviceAccount: field(9, string),
  automountServiceAccountToken: field(21, optional(bool)),
  nodeName: field(10, string),
  hostNetwork: field(11, bool),
  hostPID: field(12, bool),
  hostIPC: field(13, bool),
  shareProcessNamespace: field(27, optional(bool)),
  securityContext: field(14, optional(PodSecurityContext)),
  imagePullSecrets: field(
    15,
    list(LocalObjectReference, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
  hostname: field(16, string),
  subdomain: field(17, string),
  affinity: field(18, optional(Affinity)),
  schedulerName: field(19, string),
  tolerations: field(22, list(Toleration, { type: 'atomic' })),
  hostAliases: field(23, list(HostAlias, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' })),
  priorityClassName: field(24, string),
  priority: field(25, optional(int32)),
  dnsConfig: field(26, optional(PodDNSConfig)),
  readinessGates: field(28, list(PodReadinessGate, { type: 'atomic' })),
  runtimeClassName: field(29, optional(string)),
  enableServiceLinks: field(30, optional(bool)),
  preemptionPolicy: field(31, optional(preemptionPolicy)),
  overhead: field(32, resourceList),
  topologySpreadConstraints: field(
    33,
    list(TopologySpreadConstraint, {
      type: 'map',
      keys: ['topologyKey', 'whenUnsatisfiable'],
      patch: 'merge',
      patchKey: 'topologyKey',
    }),
  ),
  setHostnameAsFQDN: field(35, optional(bool)),
  os: field(36, optional(PodOS)),
  hostUsers: field(37, optional(bool)),
  schedulingGates: field(
    38,
    list(PodSchedulingGate, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
  resourceClaims: field(
    39,
    list(PodResourceClaim, { type: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' }),
  ),
  resources: field(40, optional(ResourceRequirements)),
});
export type PodSpec = Infer<typeof PodSpec>;
