// Feeds the cache and the scheduling queue from informers of pods, nodes, namespaces and storage classes.
import type { Namespace } from '../apis/core/namespace.ts';
import type { Node } from '../apis/core/node.ts';
import type { Pod } from '../apis/core/pod.ts';
import type { StorageClass } from '../apis/storage/storageclass.ts';
import type { Informer } from '../client/informer.ts';
import type { InformerObject } from '../client/informer-object.ts';
import type { Informers } from '../client/informers.ts';
import type { ClusterCache } from './cache/cluster-cache.ts';
import type { NominatedPods } from './cache/nominated-pods.ts';
import { type PodInfo, podInfo } from './cache/pod-info.ts';
import type { ClusterEvent } from './queue/cluster-event.ts';
import { nodeEvents, podEvents } from './queue/observed-changes.ts';
import type { QueuedPodSpec, SchedulingQueue } from './queue/scheduling-queue.ts';

export interface ClusterInformersParts {
  readonly informers: Informers;
  readonly cache: ClusterCache;
  readonly queue: SchedulingQueue;
  readonly nominated: NominatedPods;
  /** Whether this scheduler is responsible for pods with a schedulerName. */
  schedules(schedulerName: string): boolean;
}

const core = { group: '', version: 'v1' } as const;

export class ClusterInformers {
  readonly #parts: ClusterInformersParts;
  readonly pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #namespaces: Informer<Namespace>;
  readonly #classes: Informer<StorageClass>;

  constructor(parts: ClusterInformersParts) {
    this.#parts = parts;
    const { informers, cache } = parts;
    this.pods = informers.informer<Pod>(
      { ...core, resource: 'pods' },
      {
        onAdd: (pod) => this.#onPod(undefined, pod),
        onUpdate: (oldPod, pod) => this.#onPod(oldPod, pod),
        onDelete: (pod) => this.#onPodGone(pod),
      },
    );
    this.#nodes = informers.informer<Node>(
      { ...core, resource: 'nodes' },
      {
        onAdd: (node) => this.#onNode(node),
        onUpdate: (_old, node) => this.#onNode(node),
        onDelete: ({ name }) => {
          cache.removeNode(name);
          this.#move('NodeDelete');
        },
      },
    );
    this.#namespaces = informers.informer<Namespace>(
      { ...core, resource: 'namespaces' },
      {
        onAdd: (namespace) => this.#onNamespace(namespace),
        onUpdate: (_old, namespace) => this.#onNamespace(namespace),
        onDelete: ({ name }) => cache.removeNamespace(name),
      },
    );
    const onClass = () => this.#move('VolumeObjectChange');
    const classes = { group: 'storage', version: 'v1', resource: 'storageclasses' } as const;
    this.#classes = informers.informer(classes, { onAdd: onClass, onUpdate: onClass, onDelete: onClass });
  }

  /** Resolves once the cache is complete. */
  async start(): Promise<void> {
    this.#classes.watch();
    // Namespaces and nodes come first, so that pods are counted once.
    for (const informer of [this.#namespaces, this.#nodes, this.pods]) {
      informer.start();
      await informer.hasSynced;
    }
  }

  reset(): void {
    for (const informer of this.#all()) informer.reset();
  }

  close(): void {
    for (const informer of this.#all()) informer.close();
  }

  #all(): Pick<Informer<unknown>, 'reset' | 'close'>[] {
    return [this.pods, this.#nodes, this.#namespaces, this.#classes];
  }

  #move(event: ClusterEvent): void {
    this.#parts.queue.moveOn(event);
  }

  #onPod(oldPod: InformerObject<Pod> | undefined, object: InformerObject<Pod>): void {
    if (isEnded(object)) {
      this.#onPodGone(object);
    } else if (object.field('spec.nodeName')) {
      this.#onAssignedPod(object);
    } else if (this.#parts.schedules(object.field('spec.schedulerName') ?? '')) {
      const pod = object.tryDecodeLazily();
      if (pod) this.#onPendingPod(oldPod?.tryDecodeLazily(), pod);
    }
  }

  #onAssignedPod(object: InformerObject<Pod>): void {
    const { cache, queue, nominated } = this.#parts;
    const pod = object.tryDecodeLazily();
    if (!pod) return;
    const info = podInfo(pod);
    const wasAssumed = cache.isAssumed(info);
    const oldInfo = cache.pod(info.key);
    cache.setPod(info);
    queue.delete(info.key);
    nominated.delete(info.uid);
    for (const event of podEvents(wasAssumed ? undefined : oldInfo, info)) this.#move(event);
  }

  #onPendingPod(oldPod: Pod | undefined, pod: Pod): void {
    const { queue, nominated } = this.#parts;
    const info = podInfo(pod);
    const nominatedNodeName = pod.status?.nominatedNodeName ?? '';
    // A nomination that is not written yet stays.
    const isNominationNew = nominatedNodeName !== (oldPod?.status?.nominatedNodeName ?? '');
    if (isNominationNew) nominated.set(info, nominatedNodeName);
    const spec = queuedPodSpec(info, pod);
    if (oldPod && isSchedulingEqual(oldPod, pod)) queue.add(spec);
    else queue.update(spec);
  }

  #onPodGone({ key }: InformerObject<Pod>): void {
    const { cache, queue, nominated } = this.#parts;
    const info = cache.pod(key);
    const pending = queue.get(key);
    queue.delete(key);
    if (pending) nominated.delete(pending.uid);
    if (!info) return;
    cache.removePod(key);
    this.#move('AssignedPodDelete');
  }

  #onNode(object: InformerObject<Node>): void {
    const { cache } = this.#parts;
    const node = object.tryDecodeLazily();
    if (!node) return;
    const old = cache.setNode(node);
    for (const event of nodeEvents(old, cache.node(object.name)!)) this.#move(event);
  }

  #onNamespace({ name, labels }: InformerObject<Namespace>): void {
    const { cache } = this.#parts;
    const known = cache.namespaceLabels(name);
    const isSame =
      known.size === labels.size && [...labels].every(([key, value]) => known.get(key) === value);
    if (isSame) return;
    cache.setNamespace(name, new Map(labels));
    this.#move('NamespaceUpdateLabels');
  }
}

/** Ended pods use no resources. */
const isEnded = (pod: InformerObject<Pod>) => {
  const phase = pod.field('status.phase');
  return phase === 'Succeeded' || phase === 'Failed';
};

const queuedPodSpec = ({ key, uid, priority }: PodInfo, { spec }: Pod): QueuedPodSpec => ({
  key,
  uid,
  priority,
  isGated: (spec.schedulingGates ?? []).length > 0,
});

/** Whether two states of a pod differ only in fields without effect on scheduling, such as its status. */
const isSchedulingEqual = (one: Pod, other: Pod) => schedulingFields(one) === schedulingFields(other);

const schedulingFields = ({ spec, metadata, status }: Pod) =>
  JSON.stringify([spec, metadata.labels, metadata.uid, status?.resourceClaimStatuses]);
