// namespace-controller: deletes the content of terminating namespaces.
import type { Namespace } from '../../apis/core/namespace.ts';
import { LruCache } from '../../base/lru-cache.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { type Api, existing } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { DeleteRequest } from '../../registry/verbs/delete.ts';
import { update } from '../../registry/verbs/update.ts';
import { decodePairs } from '../../store/pairs.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { AggregatedApis } from '../runtime/aggregated-apis.ts';
import type { Controller, ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { deletionConditions, undiscoveredMessage } from './deletion-conditions.ts';
import { aggregatedResource, type NamespacedResource, storedResource } from './namespaced-resources.ts';
import type { RemainingContent, RemainingObjects } from './remaining-content.ts';

const concurrency = 10;
/** Batches deletions of objects in the same namespace. */
const batchMs = 100;
const maxDeletedNames = 1024;

/**
 * Deletes pods first, as they may still use other objects, then all objects of all namespaced resources, stored here
 * or by aggregated API servers. It waits for finalizers and grace periods and reports them in the conditions of the
 * namespace. Once the namespace is empty it removes the finalizer of the namespace.
 */
export class NamespaceController implements Controller {
  readonly #api: Api;
  readonly #aggregatedApis: AggregatedApis;
  readonly #podsFirst: boolean;
  readonly #identity: ControllerIdentity;
  readonly #queue: WorkQueue;
  readonly #follower: Reflector;
  readonly #terminating = new Set<string>();
  /** Names of deleted namespaces: a request admitted before the deletion may create an object afterwards. */
  readonly #deleted = new LruCache<true>(maxDeletedNames);
  readonly #stopped = new AbortController();
  #unsubscribe = () => {};

  constructor({ api, identity, aggregatedApis, features, newQueue }: ControllerContext) {
    this.#api = api;
    this.#aggregatedApis = aggregatedApis;
    this.#podsFirst = features.enabled('OrderedNamespaceDeletion');
    this.#identity = identity;
    this.#queue = newQueue({
      name: 'namespace',
      reconcile: (name) => this.#reconcile(name),
      workers: concurrency,
    });
    this.#follower = new Reflector(api.store, 'namespaces', {
      add: (namespace) => this.#onUpsert(namespace),
      remove: ({ key }, isReplaced) => {
        const name = nameIn(key);
        if (isReplaced || !this.#terminating.delete(name)) return;
        this.#deleted.set(name, true);
      },
      clear: () => {
        this.#terminating.clear();
        this.#queue.clear();
      },
    });
  }

  start(): void {
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      for (const change of changes) this.#onContentChange(change);
    });
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#follower.reset();
    void this.#follower.warmUp();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#unsubscribe();
    this.#follower.close();
    await this.#queue.close();
  }

  #onUpsert(namespace: StoredObject): void {
    if (decodePairs(namespace.fields).get('status.phase') !== 'Terminating') return;
    const name = nameIn(namespace.key);
    this.#terminating.add(name);
    this.#queue.add(name);
  }

  #onContentChange({ type, prefix, key }: Change): void {
    if (type === 'updated') return;
    const name = key.slice(prefix.length + 1, key.lastIndexOf('/'));
    if (name === '') return;
    const isLate = () => type === 'created' && this.#deleted.get(name) && !this.#stored(name);
    if (this.#terminating.has(name) || isLate()) this.#queue.addAfter(name, batchMs);
  }

  async #reconcile(name: string): Promise<void> {
    const stored = this.#stored(name);
    if (!stored) {
      if (this.#deleted.get(name)) await this.#deleteContent(name);
      return;
    }
    const { metadata, spec } = decodeStored(this.#namespaces, stored) as Namespace;
    if (!metadata.deletionTimestamp || !spec.finalizers?.length) return;
    const left = await this.#deleteContent(name);
    // Aborted: some resources were not checked.
    if (this.#stopped.signal.aborted) return;
    const { undiscovered } = left;
    const wait = Math.max(0, ...left.resources.map(({ estimateSeconds }) => estimateSeconds));
    await ignoreNotFound(this.#write(name, 'status', (namespace) => this.#setConditions(namespace, left)));
    if (left.failures.length > 0) throw left.failures[0];
    if (undiscovered.length > 0) throw new Error(undiscoveredMessage(undiscovered));
    // Each deletion triggers another run; this delay covers the rest.
    if (left.resources.length > 0) this.#queue.addAfter(name, (Math.floor(wait / 2) + 1) * 1000);
    else await ignoreNotFound(this.#write(name, 'finalize', (namespace) => this.#removeFinalizer(namespace)));
  }

  async #deleteContent(namespace: string): Promise<RemainingContent> {
    const { signal } = this.#stopped;
    const request: DeleteRequest = {
      user: this.#identity.user,
      warnings: [],
      signal,
      audit: undefined,
      deadlineMs: undefined,
      externalLatencyMs: 0,
      isOfMany: true,
    };
    const { resources: others, undiscovered } = this.#aggregatedApis.namespaced();
    const own = this.#api.registry.stored.filter(
      ({ definition }) => definition.namespaced && definition.verbs.includes('delete'),
    );
    if (this.#podsFirst) {
      const pods = own.filter(({ prefix }) => prefix === 'pods');
      const left = await this.#deleteResources(
        pods.map((kind) => storedResource(this.#api, kind, request)),
        namespace,
      );
      if (left.resources.length > 0 || left.failures.length > 0) return { ...left, undiscovered };
    }
    const all = [
      ...own.map((kind) => storedResource(this.#api, kind, request)),
      ...others.map((objects) => aggregatedResource(objects, { user: this.#identity.user, signal })),
    ];
    return { ...(await this.#deleteResources(all, namespace)), undiscovered };
  }

  async #deleteResources(
    contents: readonly NamespacedResource[],
    namespace: string,
  ): Promise<Omit<RemainingContent, 'undiscovered'>> {
    const left: RemainingObjects[] = [];
    const failures: Error[] = [];
    for (const content of contents) {
      if (this.#stopped.signal.aborted) break;
      try {
        await content.deleteAll(namespace);
        const some = await content.remaining(namespace);
        if (!some) continue;
        left.push(some);
        if (some.estimateSeconds === 0) failures.push(unexpected(content, namespace));
      } catch (error) {
        failures.push(error as Error);
      }
    }
    return { resources: left, failures };
  }

  #setConditions({ status }: Namespace, left: RemainingContent): void {
    status.conditions = deletionConditions(this.#api, status.conditions ?? [], left);
  }

  #removeFinalizer({ spec }: Namespace): void {
    const { namespace: ours } = this.#api.dialect.finalizers;
    spec.finalizers = (spec.finalizers ?? []).filter((finalizer) => finalizer !== ours);
  }

  async #write(name: string, subresource: string, change: (namespace: Namespace) => void): Promise<void> {
    const target = { resource: this.#namespaces, namespace: '', name, subresource };
    const read = () => {
      const object = decodeStored(target.resource, existing(this.#api, target)) as Namespace;
      change(object);
      return { object };
    };
    const { manager } = this.#identity;
    await update(this.#api, target, read, { ...plainWrite, manager }, []);
  }

  get #namespaces(): ServedResource {
    return this.#api.registry.kind('', 'v1', 'namespaces');
  }

  #stored(name: string): StoredObject | undefined {
    return this.#api.store.get(`namespaces/${name}`);
  }
}

const unexpected = ({ subject: { group, resource }, version }: NamespacedResource, namespace: string) =>
  new Error(
    `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${resource}`,
  );

const nameIn = (key: string) => key.slice(key.indexOf('/') + 1);
