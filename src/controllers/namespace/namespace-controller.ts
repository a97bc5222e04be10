// namespace-controller: deletes the content of terminating namespaces.
import type { Namespace } from '../../apis/core/namespace.ts';
import { timestamp } from '../../base/clock.ts';
import { LruCache } from '../../base/lru-cache.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { ResourceChange } from '../runtime/resource-monitor.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { deletionConditions, undiscoveredMessage } from './deletion-conditions.ts';
import { aggregatedResource, type NamespacedResource, storedResource } from './namespaced-resources.ts';
import type { RemainingContent, RemainingObjects } from './remaining-content.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' } as const;

const concurrency = 10;
/** Delay after a change of the content, so that changes that follow each other are reconciled together. */
const batchMs = 100;
const maxDeletedNames = 1024;

/**
 * Deletes pods first, as they may still use other objects, then all objects of all namespaced resources, stored here
 * or by aggregated API servers. It waits for finalizers and grace periods and reports them in the conditions of the
 * namespace. Once the namespace is empty it removes the finalizer of the namespace.
 */
export class NamespaceController implements Controller {
  readonly #context: ControllerContext;
  readonly #deletesPodsFirst: boolean;
  readonly #queue: WorkQueue;
  readonly #informer: Informer<Namespace>;
  /** By name of a terminating namespace, the monotonic time from which on its content is deleted. */
  readonly #terminating = new Map<string, number>();
  /** Names of deleted namespaces: a request admitted before the deletion may create an object afterwards. */
  readonly #deleted = new LruCache<true>({ maxWeight: maxDeletedNames });
  readonly #stopped = new AbortController();
  #unsubscribe = () => {};

  constructor(context: ControllerContext) {
    const { informers, features, newQueue } = context;
    this.#context = context;
    this.#deletesPodsFirst = features.enabled('OrderedNamespaceDeletion');
    this.#queue = newQueue({
      name: 'namespace',
      reconcile: (name) => this.#reconcile(name),
      workers: concurrency,
    });
    this.#informer = informers.informer<Namespace>(namespaces, {
      onAdd: (namespace) => this.#onAddOrUpdate(namespace),
      onUpdate: (_oldNamespace, newNamespace) => this.#onAddOrUpdate(newNamespace),
      onDelete: ({ name }) => {
        if (this.#terminating.delete(name)) this.#deleted.set(name, true);
      },
      onReset: () => {
        this.#terminating.clear();
        this.#queue.clear();
      },
    });
  }

  start(): void {
    this.#unsubscribe = this.#context.monitor.subscribe((change) => this.#onContentChange(change));
    this.#informer.start();
  }

  reset(): void {
    this.#informer.reset();
    this.#informer.start();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#unsubscribe();
    this.#informer.close();
    await this.#queue.close();
  }

  #onAddOrUpdate(namespace: InformerObject<Namespace>): void {
    if (namespace.field('status.phase') !== 'Terminating') return;
    const { name } = namespace;
    const { clock, options } = this.#context;
    // Counted from the first sight of the deletion: deletionTimestamp has whole seconds.
    if (!this.#terminating.has(name))
      this.#terminating.set(name, clock.elapsed() + options.namespaceDeletionDelay);
    this.#queue.addAfter(name, this.#remainingDelay(name));
  }

  #remainingDelay(name: string): number {
    return (this.#terminating.get(name) ?? 0) - this.#context.clock.elapsed();
  }

  #onContentChange({ type, prefix, key }: ResourceChange): void {
    if (type === 'updated') return;
    // A storage key is `prefix/namespace/name`; that of a cluster-scoped object has no namespace.
    const namespace = key.slice(prefix.length + 1, key.lastIndexOf('/'));
    if (namespace === '') return;
    const isCreatedTooLate = () =>
      type === 'created' && this.#deleted.get(namespace) && !this.#informer.getByKey(namespace);
    if (this.#terminating.has(namespace) || isCreatedTooLate())
      this.#queue.addAfter(namespace, Math.max(batchMs, this.#remainingDelay(namespace)));
  }

  async #reconcile(name: string): Promise<void> {
    const namespace = this.#informer.getByKey(name)?.decode();
    if (!namespace) {
      if (this.#deleted.get(name)) await this.#deleteContent(name);
      return;
    }
    const { metadata, spec } = namespace;
    if (!metadata.deletionTimestamp || !spec.finalizers?.length) return;
    const remaining = await this.#deleteContent(name);
    // Aborted: some resources were not checked.
    if (this.#stopped.signal.aborted) return;
    await ignoreNotFound(
      this.#update(name, 'status', (namespace) => this.#setConditions(namespace, remaining)),
    );
    const { resources, failures, undiscovered } = remaining;
    // The queue retries with backoff.
    if (failures.length > 0) throw failures[0];
    if (undiscovered.length > 0) throw new Error(undiscoveredMessage(undiscovered));
    if (resources.length > 0) {
      // Each deletion of an object here triggers another run; the delay covers objects of aggregated API servers.
      const longestSeconds = Math.max(0, ...resources.map(({ estimateSeconds }) => estimateSeconds));
      this.#queue.addAfter(name, (Math.floor(longestSeconds / 2) + 1) * 1000);
      return;
    }
    await ignoreNotFound(this.#update(name, 'finalize', (namespace) => this.#removeFinalizer(namespace)));
  }

  /** Deletes all objects, or only the pods as long as there are any, and returns what remains. */
  async #deleteContent(namespace: string): Promise<RemainingContent> {
    const { client, informers, kinds, aggregatedApis, identity } = this.#context;
    const caller = { user: identity.user, signal: this.#stopped.signal };
    const { resources: aggregated, undiscovered } = aggregatedApis.namespacedResources();
    const storedHere = kinds.stored.filter(
      ({ definition }) => definition.namespaced && definition.verbs.includes('delete'),
    );
    const toStored = (resource: ServedResource) =>
      storedResource(client, informers.listerOf(resource), caller);
    if (this.#deletesPodsFirst) {
      const pods = storedHere.filter(({ prefix }) => prefix === 'pods');
      const remaining = await this.#deleteResources(pods.map(toStored), namespace);
      if (remaining.resources.length > 0 || remaining.failures.length > 0)
        return { ...remaining, undiscovered };
    }
    const all = [
      ...storedHere.map(toStored),
      ...aggregated.map((resource) => aggregatedResource(resource, caller)),
    ];
    return { ...(await this.#deleteResources(all, namespace)), undiscovered };
  }

  async #deleteResources(
    resources: readonly NamespacedResource[],
    namespace: string,
  ): Promise<Omit<RemainingContent, 'undiscovered'>> {
    const remaining: RemainingObjects[] = [];
    const failures: Error[] = [];
    for (const resource of resources) {
      if (this.#stopped.signal.aborted) break;
      try {
        await resource.deleteAll(namespace);
        const remainingObjects = await resource.remaining(namespace);
        if (!remainingObjects) continue;
        remaining.push(remainingObjects);
        // Neither a grace period nor a finalizer holds the objects.
        if (remainingObjects.estimateSeconds === 0) failures.push(unexpectedItemsError(resource, namespace));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    return { resources: remaining, failures };
  }

  #setConditions({ status }: Namespace, remaining: RemainingContent): void {
    const { dialect, clock } = this.#context;
    status.conditions = deletionConditions(dialect, timestamp(clock), status.conditions ?? [], remaining);
  }

  #removeFinalizer({ spec }: Namespace): void {
    const { namespace: namespaceFinalizer } = this.#context.dialect.finalizers;
    spec.finalizers = (spec.finalizers ?? []).filter((finalizer) => finalizer !== namespaceFinalizer);
  }

  async #update(name: string, subresource: string, change: (namespace: Namespace) => void): Promise<void> {
    const { client, identity } = this.#context;
    await client.mutate(this.#informer, name, change, { subresource, manager: identity.manager });
  }
}

const unexpectedItemsError = (
  { subject: { group, resource }, version }: NamespacedResource,
  namespace: string,
) =>
  new Error(
    `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${resource}`,
  );
