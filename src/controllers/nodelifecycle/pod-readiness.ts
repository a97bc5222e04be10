// node-lifecycle-controller: marks the pods on nodes that are not ready as not ready, so that Services do not send them traffic.
import type { Pod } from '../../apis/core/pod.ts';
import { timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { OwnerEvents } from '../workload/owner-events.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const workers = 4;
/** Upstream's event source. */
const component = 'node-controller';

export class PodReadiness {
  readonly #context: ControllerContext;
  readonly #isNotReady: (node: string) => boolean;
  readonly #informer: Informer<Pod>;
  /** Pods that were assigned to a node that is not ready. */
  readonly #queue: WorkQueue;
  readonly #events: OwnerEvents;
  #nodesSynced: Promise<void> = Promise.resolve();

  /** `isNotReady`: whether a node has a Ready condition that is not true. */
  constructor(context: ControllerContext, isNotReady: (node: string) => boolean) {
    const { informers, newQueue, events } = context;
    this.#context = context;
    this.#isNotReady = isNotReady;
    this.#queue = newQueue({
      name: 'node_lifecycle_controller_pods',
      reconcile: (key) => this.#reconcile(key),
      workers,
    });
    this.#informer = informers.informer<Pod>(
      pods,
      {
        onAdd: (pod) => this.#onAssignment(pod),
        onUpdate: (oldPod, newPod) => {
          if (nodeOf(oldPod)[0] !== nodeOf(newPod)[0]) this.#onAssignment(newPod);
        },
        onReset: () => this.#queue.clear(),
      },
      { node: (pod) => nodeOf(pod) },
    );
    this.#events = new OwnerEvents(events, this.#informer.resource, component);
  }

  start(nodesSynced: Promise<void>): void {
    this.#nodesSynced = nodesSynced;
    this.#informer.start();
  }

  reset(): void {
    this.#informer.reset();
  }

  async close(): Promise<void> {
    this.#informer.close();
    await this.#queue.close();
  }

  /** Marks all pods on a node, unless it is ready again. */
  async markNotReady(node: string): Promise<void> {
    await this.#informer.hasSynced;
    for (const key of [...this.#informer.keysByIndex('node', node)]) {
      if (!this.#isNotReady(node)) return;
      await this.#mark(key);
    }
  }

  #onAssignment(pod: InformerObject<Pod>): void {
    const [node] = nodeOf(pod);
    if (node !== undefined && this.#isNotReady(node)) this.#queue.add(pod.key);
  }

  async #reconcile(key: string): Promise<void> {
    await this.#nodesSynced;
    const pod = this.#informer.getByKey(key);
    const [node] = pod ? nodeOf(pod) : [];
    if (node !== undefined && this.#isNotReady(node)) await this.#mark(key);
  }

  async #mark(key: string): Promise<void> {
    const pod = this.#informer.getByKey(key)?.tryDecodeLazily();
    const ready = pod?.status.conditions?.find(({ type }) => type === 'Ready');
    if (!pod || !ready || ready.status === 'False') return;
    const { client, clock, identity } = this.#context;
    const now = timestamp(clock);
    const mark = ({ metadata, status }: Pod) => {
      metadata.uid = pod.metadata.uid!;
      for (const condition of status.conditions ?? []) {
        if (condition.type !== 'Ready' || condition.status === 'False') continue;
        condition.status = 'False';
        condition.lastTransitionTime = now;
      }
    };
    try {
      await client.mutate(this.#informer, key, mark, { ...identity, subresource: 'status' });
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return;
      throw error;
    }
    this.#events.record(pod.metadata, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
}

const nodeOf = (pod: InformerObject<Pod>): string[] => {
  const node = pod.field('spec.nodeName');
  return node ? [node] : [];
};
