// PodSpec: schema and defaults.
import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, int64, named, openEnum, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { Affinity, TopologySpreadConstraint } from './affinity.ts';
import { Container, EphemeralContainer } from './container.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { HostAlias, PodDNSConfig } from './pod-network.ts';
import { podConditionType } from './pod-status.ts';
import { preemptionPolicy } from './preemption-policy.ts';
import { resourceList } from './resource-list.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { PodSecurityContext } from './security-context.ts';
import { Toleration } from './toleration.ts';
import { Volume } from './volume.ts';

const PodReadinessGate = struct(
  'core/v1.PodReadinessGate',
  {
    conditionType: field(1, podConditionType, {
      required: true,
      doc: 'The type of a condition in the status of the pod.',
    }),
  },
  { doc: 'A pod condition that must be true for the pod to be ready.' },
);

export const PodOS = struct(
  'core/v1.PodOS',
  {
    name: field(1, named('core/v1.OSName', openEnum('linux', 'windows')), {
      required: true,
      doc: 'linux or windows.',
    }),
  },
  { doc: 'The operating system of a pod.' },
);
export type PodOS = Infer<typeof PodOS>;

const PodSchedulingGate = struct(
  'core/v1.PodSchedulingGate',
  { name: field(1, string, { required: true, doc: 'The name of the scheduling gate, unique in the pod.' }) },
  {
    doc: 'A gate that keeps the pod from being scheduled until its owner removes it.',
  },
);

export const PodResourceClaim = struct(
  'core/v1.PodResourceClaim',
  {
    name: field(1, string, { required: true, doc: 'The name that containers refer to, unique in the pod.' }),
    resourceClaimName: field(3, optional(string), {
      doc: "The name of a ResourceClaim in the pod's namespace. Mutually exclusive with resourceClaimTemplateName.",
    }),
    resourceClaimTemplateName: field(4, optional(string), {
      doc: 'The name of a ResourceClaimTemplate. A ResourceClaim is created from it and deleted with the pod.',
    }),
  },
  { doc: 'A ResourceClaim that must be allocated before the pod can run.' },
);
export type PodResourceClaim = Infer<typeof PodResourceClaim>;

const containers = list(Container, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' });

export const PodSpec = struct(
  'core/v1.PodSpec',
  {
    volumes: field(
      1,
      list(Volume, { type: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' }),
      { doc: 'The volumes that containers can mount.' },
    ),
    initContainers: field(20, containers, {
      doc: 'Containers that run to completion one after another before the containers start. Sidecars (restartPolicy Always) keep running.',
    }),
    containers: field(2, containers, { required: true, doc: 'The containers of the pod, at least one.' }),
    ephemeralContainers: field(
      34,
      list(EphemeralContainer, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'Containers that were added for debugging through the ephemeralcontainers subresource.' },
    ),
    restartPolicy: field(3, named('core/v1.RestartPolicy', publishedEnum('Always', 'OnFailure', 'Never')), {
      doc: 'Whether terminated containers are restarted: Always (default), OnFailure or Never.',
    }),
    terminationGracePeriodSeconds: field(4, optional(int64), {
      doc: 'Seconds between the stop signal and the kill signal on termination. Defaults to 30.',
    }),
    activeDeadlineSeconds: field(5, optional(int64), {
      doc: 'Seconds that the pod may be active on its node before it is marked as failed.',
    }),
    dnsPolicy: field(
      6,
      named('core/v1.DNSPolicy', publishedEnum('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')),
      { doc: 'The DNS policy. Defaults to ClusterFirst. With None, only `dnsConfig` applies.' },
    ),
    nodeSelector: field(7, mapOf(string, { atomic: true }), {
      doc: 'Labels that a node must have for the pod to be scheduled on it.',
    }),
    serviceAccountName: field(8, string, { doc: 'The ServiceAccount of the pod.' }),
    serviceAccount: field(9, string, { doc: 'Deprecated alias of `serviceAccountName`.' }),
    automountServiceAccountToken: field(21, optional(bool), {
      doc: 'Whether a service account token is mounted. Overrides the setting of the ServiceAccount.',
    }),
    nodeName: field(10, string, { doc: 'The node that the pod is scheduled on.' }),
    hostNetwork: field(11, bool, { doc: 'Uses the network namespace of the node.' }),
    hostPID: field(12, bool, { doc: 'Uses the process namespace of the node.' }),
    hostIPC: field(13, bool, { doc: 'Uses the IPC namespace of the node.' }),
    shareProcessNamespace: field(27, optional(bool), {
      doc: 'Shares one process namespace between all containers of the pod.',
    }),
    securityContext: field(14, optional(PodSecurityContext), {
      doc: 'Security options of the pod, and defaults for its containers.',
    }),
    imagePullSecrets: field(
      15,
      list(LocalObjectReference, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'Secrets with registry credentials for pulling images.' },
    ),
    hostname: field(16, string, { doc: 'The hostname of the pod. Defaults to the name of the pod.' }),
    subdomain: field(17, string, {
      doc: 'If set, the fully qualified hostname is hostname.subdomain.namespace.svc.<cluster domain>.',
    }),
    affinity: field(18, optional(Affinity), { doc: 'The scheduling constraints of the pod.' }),
    schedulerName: field(19, string, { doc: 'The scheduler that schedules the pod.' }),
    tolerations: field(22, list(Toleration, { type: 'atomic' }), {
      doc: 'The taints that the pod tolerates.',
    }),
    hostAliases: field(23, list(HostAlias, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' }), {
      doc: "Additional entries of the pod's hosts file.",
    }),
    priorityClassName: field(24, string, { doc: 'The PriorityClass of the pod.' }),
    priority: field(25, optional(int32), { doc: 'The priority value, from the PriorityClass.' }),
    dnsConfig: field(26, optional(PodDNSConfig), {
      doc: 'DNS parameters in addition to those of `dnsPolicy`.',
    }),
    readinessGates: field(28, list(PodReadinessGate, { type: 'atomic' }), {
      doc: 'Conditions that must be true, in addition to container readiness, for the pod to be ready.',
    }),
    runtimeClassName: field(29, optional(string), { doc: 'The RuntimeClass that runs the pod.' }),
    enableServiceLinks: field(30, optional(bool), {
      doc: 'Whether the services of the namespace are exposed as environment variables. Defaults to true.',
    }),
    preemptionPolicy: field(31, optional(preemptionPolicy), {
      doc: 'Whether the pod may preempt pods of lower priority: PreemptLowerPriority (default) or Never.',
    }),
    overhead: field(32, resourceList, {
      doc: 'The resource overhead of running the pod, from the RuntimeClass.',
    }),
    topologySpreadConstraints: field(
      33,
      list(TopologySpreadConstraint, {
        type: 'map',
        keys: ['topologyKey', 'whenUnsatisfiable'],
        patch: 'merge',
        patchKey: 'topologyKey',
      }),
      { doc: 'How matching pods are spread over topology domains. All constraints must hold.' },
    ),
    setHostnameAsFQDN: field(35, optional(bool), {
      doc: 'Sets the hostname of the containers to the fully qualified domain name.',
    }),
    os: field(36, optional(PodOS), {
      doc: 'The operating system of the containers. Fields that do not apply to it must not be set.',
    }),
    hostUsers: field(37, optional(bool), {
      doc: 'Whether the pod uses the user namespace of the node. False creates a separate user namespace.',
    }),
    schedulingGates: field(
      38,
      list(PodSchedulingGate, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      {
        doc: 'The pod is not scheduled while this list is not empty. Gates can only be set on creation and be removed later.',
      },
    ),
    resourceClaims: field(
      39,
      list(PodResourceClaim, { type: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' }),
      { doc: 'The ResourceClaims that must be allocated before the pod can start.' },
    ),
    resources: field(40, optional(ResourceRequirements), {
      doc: 'The resource requests and limits of all containers together.',
    }),
  },
  {
    doc: 'The specification of a pod.',
    defaults(spec) {
      spec.restartPolicy ||= 'Always';
      spec.terminationGracePeriodSeconds ??= 30;
      spec.dnsPolicy ||= 'ClusterFirst';
      spec.securityContext ??= {};
      spec.schedulerName ||= 'default-scheduler';
      const account = spec.serviceAccountName || spec.serviceAccount;
      if (account) spec.serviceAccountName = spec.serviceAccount = account;
    },
  },
);
export type PodSpec = Infer<typeof PodSpec>;
