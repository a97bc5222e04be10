import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyObject, type Api, at } from './api.ts';

const nodes = 'api/v1 nodes';
const pods = 'api/v1 pods';
const leases = 'apis/coordination.k8s.io/v1 leases';
const leaseNamespace = 'kube-node-lease';

/** The node that runs pods, and one that stops reporting. */
export const readyNode = 'living';
export const lostNode = 'lost';

/** Pods with this label are ignored. */
export const ignoredLabel = { 'leave-alone': 'true' };

const now = () => new Date().toISOString().replace(/\.\d+/, '');

const microTime = () => new Date().toISOString().replace('Z', '000Z');

export async function addNode(api: Api, name: string): Promise<void> {
  await api.create(nodes, '', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
  const time = now();
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' };
  const amounts = { cpu: '8', memory: '16Gi', pods: '110' };
  await api.patch(
    nodes,
    '',
    name,
    {
      status: {
        capacity: amounts,
        allocatable: amounts,
        conditions: [{ ...ready, lastHeartbeatTime: time, lastTransitionTime: time }],
        addresses: [{ type: 'InternalIP', address: '10.1.0.1' }],
      },
    },
    'status',
  );
  // A Lease that was once observed without a renew time is never considered renewed.
  const spec = { holderIdentity: name, renewTime: microTime() };
  await api.create(leases, leaseNamespace, { metadata: { name }, spec });
}

/** Acts as scheduler and kubelet: binds, runs and terminates pods. */
export class SimulatedNode {
  readonly #api: Api;
  readonly #stopped = new AbortController();
  readonly #addresses = new Map<string, string>();
  #running: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(api: Api) {
    this.#api = api;
  }

  begin(): void {
    this.#running = this.#loop().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Throws errors that occurred meanwhile. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopped;
    let renewed = 0;
    while (!signal.aborted) {
      if (performance.now() - renewed > 5000) {
        renewed = performance.now();
        await this.#api.patch(leases, leaseNamespace, readyNode, { spec: { renewTime: microTime() } });
      }
      for (const pod of await this.#api.list(pods, '', '!leave-alone')) await this.#tend(pod);
      await sleep(300, undefined, { signal }).catch(() => {});
    }
  }

  /** A pod may change or be deleted concurrently: the next round handles it. */
  async #tend(pod: AnyObject): Promise<void> {
    const { name, namespace = '', deletionTimestamp } = pod.metadata;
    try {
      const node = at(pod, 'spec.nodeName');
      if (node === undefined && !deletionTimestamp) {
        const target = { kind: 'Node', name: affineNode(pod) ?? readyNode };
        await this.#api.post(pods, namespace, name, 'binding', { metadata: { name }, target });
      } else if (deletionTimestamp) {
        await this.#api.remove(pods, namespace, name, { gracePeriodSeconds: 0 });
      } else if (node === readyNode && at(pod, 'status.phase') === 'Pending') {
        await this.#api.patch(pods, namespace, name, { status: this.#statusOf(pod) }, 'status');
      }
    } catch (error) {
      if (!/: (403|404|409) /.test(String(error))) throw error;
    }
  }

  #statusOf(pod: AnyObject): object {
    const time = now();
    const isDone = pod.metadata.labels?.['job-name'] !== undefined;
    const address = `10.244.0.${this.#addresses.size + 1}`;
    this.#addresses.set(pod.metadata.uid, address);
    const terminated = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time };
    const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: isDone && type.endsWith('Ready') ? 'False' : 'True',
      lastTransitionTime: time,
    }));
    return {
      phase: isDone ? 'Succeeded' : 'Running',
      startTime: time,
      podIP: address,
      podIPs: [{ ip: address }],
      conditions,
      containerStatuses: (at(pod, 'spec.containers') as { name: string; image: string }[]).map(
        (container) => ({
          name: container.name,
          image: container.image,
          imageID: 'none',
          ready: !isDone,
          restartCount: 0,
          state: isDone ? { terminated } : { running: { startedAt: time } },
        }),
      ),
    };
  }
}

/** The pods of a DaemonSet name their node. */
function affineNode(pod: AnyObject): string | undefined {
  const affinity = 'nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
  const node = at(pod, `spec.affinity.${affinity}.nodeSelectorTerms.0.matchFields.0.values.0`);
  return typeof node === 'string' ? node : undefined;
}
