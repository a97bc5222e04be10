// The Node and Lease objects of a simulated node, as its kubelet would write them.
import { createHash } from 'node:crypto';
import type { Node, NodeStatus } from '../apis/core/node.ts';
import { apiRelease } from '../base/release.ts';
import type { Manifest } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { deprecatedNameOf } from '../kind/deprecated-labels.ts';

type NodeCondition = NonNullable<NodeStatus['conditions']>[number];

/** Nodes are spread over these zones of one region. */
const zones = ['zone-a', 'zone-b', 'zone-c'];
const region = 'region-1';
const operatingSystem = 'linux';
const architecture = 'amd64';
const kubeletPort = 10_250;
/** As a kubelet has it: four missed renewals. */
const leaseDurationSeconds = 40;

const resources = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };

const simulatedValue = 'true';

/** The manifest of the node with an index. */
export function nodeManifest(index: number, ip: string, now: string, dialect: Dialect): Manifest {
  const name = `node-${index}`;
  const { labels } = dialect;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [labels.hostname]: name,
        ...withDeprecatedName(labels.os, operatingSystem, dialect),
        ...withDeprecatedName(labels.arch, architecture, dialect),
        [labels.zone]: zones[index % zones.length]!,
        [labels.region]: region,
        [labels.simulatedNode]: simulatedValue,
      },
    },
    spec: {},
    status: completeStatus({}, name, ip, now),
  };
}

function withDeprecatedName(label: string, value: string, dialect: Dialect): Record<string, string> {
  const deprecated = deprecatedNameOf(label, dialect);
  return { [label]: value, ...(deprecated !== undefined && { [deprecated]: value }) };
}

/** The status with all fields that a kubelet reports, and a new heartbeat. Fields that it has keep their value. */
export function completeStatus(
  status: Partial<NodeStatus>,
  name: string,
  ip: string,
  now: string,
): NodeStatus {
  const hasNodeInfo = (status.nodeInfo?.kubeletVersion ?? '') !== '';
  const hasPort = (status.daemonEndpoints?.kubeletEndpoint.Port ?? 0) !== 0;
  const hasResources = Object.keys(status.capacity ?? {}).length > 0;
  return {
    ...status,
    ...(!hasResources && { capacity: resources, allocatable: resources }),
    conditions: heartbeat(status.conditions ?? [], now),
    ...((status.addresses ?? []).length === 0 && {
      addresses: [
        { type: 'InternalIP', address: ip },
        { type: 'Hostname', address: name },
      ],
    }),
    daemonEndpoints: hasPort ? status.daemonEndpoints! : { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: hasNodeInfo ? status.nodeInfo! : nodeInfo(name),
  } as NodeStatus;
}

/** Whether the control plane or nobody has set the condition Ready: its kubelet reports it again. */
export const lacksReady = ({ status }: Node) =>
  (status.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown') === 'Unknown';

export const isSimulated = ({ metadata }: Node, { labels }: Dialect) =>
  metadata.labels?.[labels.simulatedNode] === simulatedValue;

export const isFailed = ({ metadata }: Node, { simulation }: Dialect) =>
  metadata.annotations?.[simulation.failed] === 'true';

export const internalIpOf = ({ status }: Node) =>
  status.addresses?.find(({ type }) => type === 'InternalIP')?.address;

/** In upstream's words. */
const healthy: readonly Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  {
    type: 'NetworkUnavailable',
    status: 'False',
    reason: 'RouteCreated',
    message: 'RouteController created a route',
  },
  {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  },
];

/** A test may set a condition to another status: only conditions that are missing or Unknown become healthy. */
function heartbeat(conditions: readonly NodeCondition[], now: string): NodeCondition[] {
  const others = conditions.filter(({ type }) => !healthy.some((condition) => condition.type === type));
  const own = healthy.map((condition): NodeCondition => {
    const old = conditions.find(({ type }) => type === condition.type);
    if (old && old.status !== 'Unknown') return { ...old, lastHeartbeatTime: now };
    return { ...condition, lastHeartbeatTime: now, lastTransitionTime: now };
  });
  return [...others, ...own];
}

function nodeInfo(name: string): NodeStatus['nodeInfo'] {
  return {
    machineID: digest(`machine ${name}`),
    systemUUID: toUuid(digest(`system ${name}`)),
    bootID: toUuid(digest(`boot ${name}`)),
    kernelVersion: '6.1.0-simulated',
    osImage: 'Simulated Linux',
    containerRuntimeVersion: 'simulated://1.0.0',
    kubeletVersion: `v${apiRelease}.0-simulated`,
    kubeProxyVersion: '',
    operatingSystem,
    architecture,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const toUuid = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

export function leaseManifest(name: string, uid: string, renewTime: string, dialect: Dialect): Manifest {
  const owner = { apiVersion: 'v1', kind: 'Node', name, uid };
  return {
    apiVersion: dialect.apiVersion('coordination', 'v1'),
    kind: 'Lease',
    metadata: { name, namespace: dialect.nodeLeaseNamespace, ownerReferences: [owner] },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime },
  };
}
