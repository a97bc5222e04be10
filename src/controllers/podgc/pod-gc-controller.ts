// pod-garbage-collector-controller: deletes pods that nobody else deletes: finished pods above a threshold, pods on nodes that no longer
// exist or are out of service, and terminating pods that were never scheduled.
import type { Node } from '../../apis/core/node.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { setCondition } from '../../apis/core/pod-conditions.ts';
import { every, timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { surplusPods } from './surplus-pods.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

const periodMs = 20_000;
/** How long a node must be missing before its pods are deleted. */
const quarantineMs = 40_000;
/** The only key of the work queue. */
const collection = 'pods';

const nodeIsGone = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
} as const;

export class PodGcController implements Controller {
  readonly #context: ControllerContext;
  readonly #threshold: number;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  readonly #queue: WorkQueue;
  /** Names of nodes that pods have and that do not exist, with the monotonic time since when. */
  readonly #missingNodes = new Map<string, number>();
  readonly #stopped = new AbortController();
  #cancelTimer = () => {};

  constructor(context: ControllerContext) {
    const { informers, newQueue, options } = context;
    this.#context = context;
    this.#threshold = options.terminatedPodGcThreshold;
    this.#queue = newQueue({ name: 'pod_garbage_collector', reconcile: () => this.#collect() });
    this.#nodes = informers.informer<Node>(nodes, {
      onAdd: ({ name }) => this.#missingNodes.delete(name),
      onDelete: ({ name }) => this.#onNodeDelete(name),
    });
    this.#pods = informers.informer<Pod>(
      pods,
      {
        onAdd: (pod) => this.#onPod(pod),
        onUpdate: (oldPod, newPod) => {
          if (oldPod.field('spec.nodeName') !== newPod.field('spec.nodeName')) this.#onPod(newPod);
        },
        onReset: () => {
          this.#missingNodes.clear();
          this.#queue.clear();
        },
      },
      {
        node: (pod) => [pod.field('spec.nodeName')].flatMap((node) => node || []),
        finished: (pod) => (isFinished(pod.field('status.phase')) ? [collection] : []),
        terminating: (pod) => (pod.metadata()?.deletionTimestamp ? [collection] : []),
      },
    );
  }

  start(): void {
    this.#nodes.start();
    this.#pods.start();
    const collect = () => this.#queue.add(collection);
    this.#cancelTimer = every(this.#context.clock, periodMs, collect);
    collect();
  }

  reset(): void {
    this.#cancelTimer();
    this.#nodes.reset();
    this.#pods.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#cancelTimer();
    this.#stopped.abort();
    this.#nodes.close();
    this.#pods.close();
    await this.#queue.close();
  }

  #onNodeDelete(name: string): void {
    const [pod] = this.#pods.keysByIndex('node', name);
    if (pod !== undefined) this.#missingNodes.set(name, this.#context.clock.elapsed());
  }

  #onPod(pod: InformerObject<Pod>): void {
    const node = pod.field('spec.nodeName');
    if (!node || this.#missingNodes.has(node) || this.#nodes.get('', node)) return;
    this.#missingNodes.set(node, this.#context.clock.elapsed());
  }

  async #collect(): Promise<void> {
    await this.#pods.hasSynced;
    await this.#deleteFinishedPods();
    await this.#deleteTerminatingPods();
    await this.#deleteOrphans();
  }

  async #deleteFinishedPods(): Promise<void> {
    if (this.#threshold === 0) return;
    const keys = [...this.#pods.keysByIndex('finished', collection)];
    if (keys.length <= this.#threshold) return;
    const finished = keys.flatMap((key) => this.#pods.getByKey(key)?.tryDecodeLazily() ?? []);
    for (const pod of surplusPods(finished, this.#threshold)) await this.#delete(pod);
  }

  /** Kubelets delete terminating pods; these have none. */
  async #deleteTerminatingPods(): Promise<void> {
    for (const key of [...this.#pods.keysByIndex('terminating', collection)]) {
      const pod = this.#pods.getByKey(key);
      const node = pod?.field('spec.nodeName');
      if (!pod || (node && !this.#isOutOfService(node))) continue;
      const decoded = pod.tryDecodeLazily();
      if (decoded) await this.#delete(decoded);
    }
  }

  /** An administrator taints a node that is not ready to say that it is shut down. */
  #isOutOfService(name: string): boolean {
    const node = this.#nodes.get('', name)?.tryDecodeLazily();
    const { outOfService } = this.#context.dialect.taints;
    if (!node?.spec.taints?.some(({ key }) => key === outOfService)) return false;
    return !node.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  }

  async #deleteOrphans(): Promise<void> {
    for (const [name, sinceMs] of [...this.#missingNodes]) {
      if (this.#context.clock.elapsed() - sinceMs < quarantineMs) continue;
      if (!this.#nodes.get('', name)) {
        for (const key of [...this.#pods.keysByIndex('node', name)]) {
          const pod = this.#pods.getByKey(key)?.tryDecodeLazily();
          if (pod) await this.#delete(pod, nodeIsGone);
        }
      }
      const [left] = this.#pods.keysByIndex('node', name);
      if (left === undefined) this.#missingNodes.delete(name);
    }
  }

  /** Sets a pod that has not finished to Failed, because no kubelet will, and deletes it without a grace period. */
  async #delete({ metadata, status }: Pod, condition?: typeof nodeIsGone): Promise<void> {
    const { client, clock, identity } = this.#context;
    const { namespace, name, uid = '' } = metadata;
    const key = `${namespace}/${name}`;
    if (!isFinished(status.phase)) {
      const now = timestamp(clock);
      const fail = (latest: Pod) => {
        latest.metadata.uid = uid;
        latest.status.phase = 'Failed';
        if (condition) setCondition(latest.status, condition, now);
      };
      await ignoreNotFound(client.mutate(this.#pods, key, fail, { ...identity, subresource: 'status' }));
    }
    const caller = { user: identity.user, signal: this.#stopped.signal };
    await client.deleteByKey(this.#pods, key, { gracePeriodSeconds: 0, preconditions: { uid } }, caller);
  }
}

const isFinished = (phase: string | undefined) => phase === 'Succeeded' || phase === 'Failed';
