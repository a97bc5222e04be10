// taint-eviction-controller: deletes pods from nodes with NoExecute taints that they do not tolerate, or no longer tolerate.
import type { Node } from '../../apis/core/node.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { setCondition } from '../../apis/core/pod-conditions.ts';
import type { Taint } from '../../apis/core/taint.ts';
import { timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { deletePod } from '../workload/pod-control.ts';
import { EvictionSchedule } from './eviction-schedule.ts';
import { toleratedMs } from './tolerated-time.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const workers = 8;
const component = 'taint-eviction-controller';

const disruption = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
} as const;

export class TaintEvictionController implements Controller {
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  /** The NoExecute taints of the nodes that have any. */
  readonly #taints = new Map<string, readonly Taint[]>();
  readonly #nodeQueue: WorkQueue;
  readonly #evictions: WorkQueue;
  readonly #schedule: EvictionSchedule;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    const { informers, newQueue, clock } = context;
    this.#context = context;
    this.#nodeQueue = newQueue({
      name: 'noexec_taint_node',
      reconcile: (name) => this.#reconcileNode(name),
      workers,
    });
    this.#evictions = newQueue({ name: 'noexec_taint_pod', reconcile: (key) => this.#evict(key), workers });
    this.#schedule = new EvictionSchedule(clock, (key) => this.#evictions.add(key));
    this.#nodes = informers.informer<Node>(nodes, {
      onAdd: (node) => this.#onNode(node),
      onUpdate: (_oldNode, node) => this.#onNode(node),
      onDelete: ({ name }) => this.#taints.delete(name),
      onReset: () => this.#clear(),
    });
    this.#pods = informers.informer<Pod>(
      pods,
      {
        onAdd: (pod) => this.#onPod(undefined, pod),
        onUpdate: (oldPod, newPod) => this.#onPod(oldPod, newPod),
        onDelete: ({ key }) => this.#cancel(key),
      },
      { node: (pod) => [pod.field('spec.nodeName')].flatMap((node) => node || []) },
    );
  }

  start(): void {
    this.#nodes.start();
    this.#pods.start();
  }

  reset(): void {
    this.#nodes.reset();
    this.#pods.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#nodes.close();
    this.#pods.close();
    this.#schedule.clear();
    await Promise.all([this.#nodeQueue.close(), this.#evictions.close()]);
  }

  #clear(): void {
    this.#taints.clear();
    this.#schedule.clear();
    this.#nodeQueue.clear();
    this.#evictions.clear();
  }

  #onNode(object: InformerObject<Node>): void {
    const { name } = object;
    const { taints = [] } = object.tryDecodeLazily()?.spec ?? {};
    const current = taints
      .filter(({ effect }) => effect === 'NoExecute')
      .map(({ key, value, effect }): Taint => ({ key, ...(value && { value }), effect }));
    const known = this.#taints.get(name) ?? [];
    if (JSON.stringify(current) === JSON.stringify(known)) return;
    if (current.length > 0) this.#taints.set(name, current);
    else this.#taints.delete(name);
    this.#nodeQueue.add(name);
  }

  /** Only pods on tainted nodes are decoded. */
  #onPod(oldPod: InformerObject<Pod> | undefined, newPod: InformerObject<Pod>): void {
    const node = newPod.field('spec.nodeName');
    if (!node || !this.#taints.has(node)) return;
    const tolerations = (pod: InformerObject<Pod>) => JSON.stringify(pod.tryDecodeLazily()?.spec.tolerations);
    const isSame = oldPod?.field('spec.nodeName') === node && tolerations(oldPod) === tolerations(newPod);
    if (!isSame) this.#process(newPod, node, this.#context.clock.elapsed());
  }

  async #reconcileNode(name: string): Promise<void> {
    await this.#pods.hasSynced;
    const nowMs = this.#context.clock.elapsed();
    for (const key of [...this.#pods.keysByIndex('node', name)]) {
      const pod = this.#pods.getByKey(key);
      if (pod) this.#process(pod, name, nowMs);
    }
  }

  /** Schedules the eviction of a pod, or cancels it. A toleration counts from the first of several taints on. */
  #process(pod: InformerObject<Pod>, node: string, nowMs: number): void {
    const { key } = pod;
    const taints = this.#taints.get(node);
    const tolerations = taints ? (pod.tryDecodeLazily()?.spec.tolerations ?? []) : [];
    const delayMs = taints ? toleratedMs(taints, tolerations) : Number.POSITIVE_INFINITY;
    if (delayMs === Number.POSITIVE_INFINITY || delayMs === 0) this.#cancel(key);
    if (delayMs !== Number.POSITIVE_INFINITY) this.#schedule.add(key, nowMs + delayMs);
  }

  #cancel(key: string): void {
    if (this.#schedule.cancel(key)) this.#record(key, `Cancelling deletion of Pod ${key}`);
  }

  async #evict(key: string): Promise<void> {
    await this.#pods.hasSynced;
    const pod = this.#pods.getByKey(key)?.tryDecodeLazily();
    if (!pod || !this.#schedule.has(key)) return;
    this.#record(key, `Marking for deletion Pod ${key}`);
    const { client, clock, identity } = this.#context;
    const now = timestamp(clock);
    const mark = ({ metadata, status }: Pod) => {
      metadata.uid = pod.metadata.uid!;
      setCondition(status, disruption, now);
    };
    await ignoreNotFound(client.mutate(this.#pods, key, mark, { ...identity, subresource: 'status' }));
    await deletePod(client, pod, { user: identity.user, signal: this.#stopped.signal });
  }

  #record(key: string, message: string): void {
    const [namespace = '', name = ''] = key.split('/');
    this.#context.events.record({
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace },
      type: 'Normal',
      reason: 'TaintManagerEviction',
      message,
      component,
    });
  }
}
