// A cluster of nodes and pods for unit tests of the scheduler, without a server.
import type { Node } from '../apis/core/node.ts';
import type { PersistentVolume } from '../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../apis/core/pod.ts';
import { claimRefKey } from '../apis/core/volume-binding.ts';
import type { CSINode } from '../apis/storage/csinode.ts';
import type { StorageClass } from '../apis/storage/storageclass.ts';
import { AvailableVolumes, volumeCandidate } from '../controllers/persistentvolume/available-volumes.ts';
import type { LabelRequirement } from '../selectors/label-selector.ts';
import { ClusterCache } from './cache/cluster-cache.ts';
import type { NodeInfo } from './cache/node-info.ts';
import { NominatedPods } from './cache/nominated-pods.ts';
import { type PendingPod, pendingPod, podInfo } from './cache/pod-info.ts';
import { fitErrorMessage } from './fit-error.ts';
import type { DeviceObjects } from './plugins/device-objects.ts';
import {
  type FilterPlugin,
  isRejection,
  type SchedulingContext,
  type ScorePlugin,
} from './plugins/plugin.ts';
import { defaultProfile } from './profile.ts';
import { SchedulingAlgorithm } from './schedule-pod.ts';

export interface TestNode {
  readonly labels?: Record<string, string>;
  readonly taints?: object[];
  readonly unschedulable?: boolean;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly allocatable?: Record<string, string>;
  readonly images?: object[];
}

export interface TestPod {
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly cpu?: string;
  readonly memory?: string;
  readonly requests?: Record<string, string>;
  readonly ports?: object[];
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

export const testNode = (name: string, node: TestNode = {}): Node => {
  const { labels = {}, taints = [], unschedulable = false, cpu = '4', memory = '8Gi', pods = '110' } = node;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { hostname: name, ...labels } },
    spec: { taints, unschedulable },
    status: { allocatable: { cpu, memory, pods, ...node.allocatable }, images: node.images ?? [] },
  } as unknown as Node;
};

export const testPod = (name: string, pod: TestPod = {}): Pod => {
  const { namespace = 'ns', labels = {}, cpu, memory, requests = {}, ports = [] } = pod;
  const resources = { requests: { ...(cpu && { cpu }), ...(memory && { memory }), ...requests } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid: `uid-${namespace}-${name}`, labels, ...pod.metadata },
    spec: { containers: [{ name: 'c', image: 'app', resources, ports }], ...pod.spec },
    status: { ...pod.status },
  } as unknown as Pod;
};

export class TestCluster implements SchedulingContext {
  readonly cluster = new ClusterCache({ zone: 'zone', region: 'region' });
  readonly nominated = new NominatedPods();
  readonly hostnameLabel = 'hostname';
  readonly zoneLabel = 'zone';
  readonly unschedulableTaint = 'unschedulable';
  readonly devices: DeviceObjects | undefined;
  readonly claims = new Map<string, object>();
  readonly persistentVolumes = new Map<string, object>();
  readonly classes = new Map<string, object>();
  readonly csiNodes = new Map<string, object>();
  workload: readonly LabelRequirement[] = [];
  readonly volumes = {
    names: {
      bindCompleted: 'bind-completed',
      selectedNode: 'selected-node',
      boundByController: 'bound-by-controller',
      storageClass: 'class',
      noProvisioner: 'no-provisioner',
      topologyLabels: ['zone', 'region'],
    },
    available: new AvailableVolumes(),
    claim: (namespace: string, name: string) =>
      this.claims.get(`${namespace}/${name}`) as PersistentVolumeClaim | undefined,
    volume: (name: string) => this.persistentVolumes.get(name) as PersistentVolume | undefined,
    storageClass: (name: string) => this.classes.get(name) as StorageClass | undefined,
    volumesReferringTo: (key: string) =>
      ([...this.persistentVolumes.values()] as PersistentVolume[]).filter(
        ({ spec }) => spec.claimRef && claimRefKey(spec.claimRef) === key,
      ),
    csiNode: (name: string) => this.csiNodes.get(name) as CSINode | undefined,
    assumedNode: () => undefined,
    assumedVolume: () => undefined,
    isAssumed: () => false,
  };

  constructor(nodes: Readonly<Record<string, TestNode>> = {}, devices?: DeviceObjects) {
    this.devices = devices;
    for (const [name, node] of Object.entries(nodes)) this.cluster.setNode(testNode(name, node));
  }

  workloadSelector = () => this.workload;

  /** Adds a volume that no claim refers to. */
  addAvailableVolume(name: string, spec: object, labels: Record<string, string> = {}): this {
    const volume = { metadata: { name, labels }, spec, status: { phase: 'Available' } };
    this.persistentVolumes.set(name, volume);
    this.volumes.available.set(volumeCandidate(volume as unknown as PersistentVolume, this.volumes.names));
    return this;
  }

  /** Adds a pod that is assigned to a node. */
  run(name: string, nodeName: string, pod: TestPod = {}): this {
    this.cluster.setPod(podInfo(testPod(name, { ...pod, spec: { ...pod.spec, nodeName } })));
    return this;
  }

  /** `feasible`, or the reasons for which the plugin rejects the pod or the node. */
  check(plugin: FilterPlugin, pod: TestPod | PendingPod, nodeName: string): string {
    const filter = plugin.prepare(toPending(pod), this);
    if (!filter) return 'feasible';
    const rejection = isRejection(filter) ? filter : filter.check(this.node(nodeName));
    return rejection ? rejection.reasons.join(', ') : 'feasible';
  }

  /** The score of each node by name. */
  score(plugin: ScorePlugin, pod: TestPod): Record<string, number> | undefined {
    const { nodes } = this.cluster;
    const scores = plugin(toPending(pod), nodes, this);
    return scores && Object.fromEntries(nodes.map(({ name }, i) => [name, scores[i]!]));
  }

  /** The chosen node, or the message of an unschedulable pod. */
  place(pod: TestPod, random: () => number = () => 0.999): string {
    const result = new SchedulingAlgorithm(this, this.nominated, random).schedule(
      toPending(pod),
      defaultProfile,
    );
    return 'node' in result ? result.node.name : fitErrorMessage(result.fitError);
  }

  node(name: string): NodeInfo {
    return this.cluster.node(name)!;
  }
}

const toPending = (pod: TestPod | PendingPod): PendingPod =>
  'uid' in pod ? (pod as PendingPod) : pendingPod(testPod('incoming', pod as TestPod));
