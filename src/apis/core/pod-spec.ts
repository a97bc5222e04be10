// PodSpec: schema and defaults.
import { list, mapOf } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
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
      doc: 'The type of the condition, which somebody keeps in the status of the pod.',
    }),
  },
  { doc: 'A condition that must be true for the pod to be ready.' },
);

export const PodOS = struct(
  'core/v1.PodOS',
  {
    name: field(1, named('core/v1.OSName', oneOf('linux', 'windows')), {
      required: true,
      doc: 'linux or windows.',
    }),
  },
  { doc: 'The operating system that the containers are made for.' },
);
export type PodOS = Infer<typeof PodOS>;

const PodSchedulingGate = struct(
  'core/v1.PodSchedulingGate',
  { name: field(1, string, { required: true, doc: 'Its name, unique in the pod.' }) },
  {
    doc: 'Something that must happen before the pod is given a node. Whoever sees to it takes the gate away.',
  },
);

export const PodResourceClaim = struct(
  'core/v1.PodResourceClaim',
  {
    name: field(1, string, { required: true, doc: 'What the containers call it, unique in the pod.' }),
    resourceClaimName: field(3, optional(string), {
      doc: "A ResourceClaim in the pod's namespace. Either this or a template is named.",
    }),
    resourceClaimTemplateName: field(4, optional(string), {
      doc: 'A ResourceClaimTemplate, from which a claim is made that lives as long as the pod.',
    }),
  },
  { doc: 'A claim to devices that the pod waits for before it runs.' },
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
      doc: 'Containers that run one after the other, each to its end, before the others start. Sidecars run on.',
    }),
    containers: field(2, containers, { required: true, doc: 'The containers, at least one.' }),
    ephemeralContainers: field(
      34,
      list(EphemeralContainer, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'Containers put in later to look at the pod, through the subresource of this name.' },
    ),
    restartPolicy: field(3, named('core/v1.RestartPolicy', documentedEnum('Always', 'OnFailure', 'Never')), {
      doc: 'Whether containers that end are started again. Always by default.',
    }),
    terminationGracePeriodSeconds: field(4, optional(int64), {
      doc: 'How long the containers have to end before they are killed. 30 by default.',
    }),
    activeDeadlineSeconds: field(5, optional(int64), {
      doc: 'How long the pod may be active on its node before it is failed.',
    }),
    dnsPolicy: field(
      6,
      named(
        'core/v1.DNSPolicy',
        documentedEnum('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
      ),
      { doc: 'Where names are looked up. ClusterFirst by default; None leaves all to `dnsConfig`.' },
    ),
    nodeSelector: field(7, mapOf(string, { atomic: true }), { doc: 'Labels that the node must have.' }),
    serviceAccountName: field(8, string, { doc: 'The ServiceAccount that the pod acts as.' }),
    serviceAccount: field(9, string, { doc: 'Deprecated: the same as `serviceAccountName`.' }),
    automountServiceAccountToken: field(21, optional(bool), {
      doc: "Whether the containers get a token, instead of the ServiceAccount's own wish.",
    }),
    nodeName: field(10, string, { doc: 'The node that the pod runs on, once the scheduler has chosen.' }),
    hostNetwork: field(11, bool, { doc: "Shares the node's network. Ports then are the node's." }),
    hostPID: field(12, bool, { doc: "Shares the node's processes." }),
    hostIPC: field(13, bool, { doc: "Shares the node's inter-process communication." }),
    shareProcessNamespace: field(27, optional(bool), { doc: 'The containers see each other’s processes.' }),
    securityContext: field(14, optional(PodSecurityContext), { doc: 'What the containers may do.' }),
    imagePullSecrets: field(
      15,
      list(LocalObjectReference, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'Secrets with which images are fetched.' },
    ),
    hostname: field(16, string, { doc: "The pod's host name, by default its own name." }),
    subdomain: field(17, string, {
      doc: 'Makes the full host name hostname.subdomain.namespace.svc.<cluster domain>.',
    }),
    affinity: field(18, optional(Affinity), { doc: 'Which nodes and neighbours the pod wants or avoids.' }),
    schedulerName: field(19, string, { doc: 'The scheduler that finds it a node.' }),
    tolerations: field(22, list(Toleration, { type: 'atomic' }), { doc: 'The taints that it puts up with.' }),
    hostAliases: field(23, list(HostAlias, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' }), {
      doc: "Entries for the containers' hosts file.",
    }),
    priorityClassName: field(24, string, { doc: 'The PriorityClass that says how important the pod is.' }),
    priority: field(25, optional(int32), { doc: 'How important: the number of its PriorityClass.' }),
    dnsConfig: field(26, optional(PodDNSConfig), { doc: 'Added to what `dnsPolicy` gives.' }),
    readinessGates: field(28, list(PodReadinessGate, { type: 'atomic' }), {
      doc: 'Conditions that must hold, beside ready containers, for the pod to be ready.',
    }),
    runtimeClassName: field(29, optional(string), { doc: 'The RuntimeClass that runs it.' }),
    enableServiceLinks: field(30, optional(bool), {
      doc: 'Whether the services of the namespace become environment variables. They do by default.',
    }),
    preemptionPolicy: field(31, optional(preemptionPolicy), {
      doc: 'Whether pods of lower priority may have to go for it.',
    }),
    overhead: field(32, resourceList, { doc: 'What running the pod takes beside its containers.' }),
    topologySpreadConstraints: field(
      33,
      list(TopologySpreadConstraint, {
        type: 'map',
        keys: ['topologyKey', 'whenUnsatisfiable'],
        patch: 'merge',
        patchKey: 'topologyKey',
      }),
      { doc: 'How pods like it are spread over the nodes. All of these must hold.' },
    ),
    setHostnameAsFQDN: field(35, optional(bool), {
      doc: 'The host name that the containers see is the full one.',
    }),
    os: field(36, optional(PodOS), { doc: 'The operating system. It decides which fields make sense.' }),
    hostUsers: field(37, optional(bool), { doc: 'False gives the pod user ids of its own.' }),
    schedulingGates: field(
      38,
      list(PodSchedulingGate, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      {
        doc: 'While there are any, no node is looked for. They are set at creation and can only be removed.',
      },
    ),
    resourceClaims: field(
      39,
      list(PodResourceClaim, { type: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name' }),
      { doc: 'The claims to devices that must be allocated before the pod starts.' },
    ),
    resources: field(40, optional(ResourceRequirements), {
      doc: 'What all containers together ask for and may use.',
    }),
  },
  {
    doc: 'What a pod is to be.',
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
