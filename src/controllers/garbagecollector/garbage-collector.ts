// garbage-collector-controller: cascading deletion along ownerReferences.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import { defaultDeleteOptions, type ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Api } from '../../registry/api.ts';
import type { Target } from '../../registry/target.ts';
import { deleteObject, foregroundFinalizer, orphanFinalizer } from '../../registry/verbs/delete.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import { walk } from '../../store/walk.ts';
import type { Controller, ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { patchMetadata, removeFinalizer } from '../runtime/patch-metadata.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { DependencyGraph } from './dependency-graph.ts';
import { existsInOtherNamespace } from './owner-in-other-namespace.ts';
import { deletingMetadata, isWaitingForDependents, OwnerLookup } from './owner-lookup.ts';
import { ownerReferencesJson, parseOwnerReferences, uidOf } from './owner-references.ts';

const name = 'garbage-collector-controller';

/** Concurrent reconciliations: they share group commits. */
const concurrency = 64;

/** Up to this many owners are looked up as soon as a change arrives; objects with more go through the queue. */
const maxInlineOwners = 100;

/** Events are many and expire by themselves. */
const ignoredPrefix = 'events';

/**
 * Deletes objects whose owners are all gone, and orders the deletion of owners and dependents:
 *
 * - An object without remaining owners is deleted; one with a remaining owner loses the references to the others.
 * - An owner with foreground deletion stays until its blocking dependents are gone, which are deleted meanwhile.
 * - An owner with orphan deletion stays until its dependents have lost their reference to it.
 *
 * The graph holds only keys of objects with owners. Whether an owner exists is read from the store.
 */
export class GarbageCollector implements Controller {
  readonly #api: Api;
  readonly #identity: ControllerIdentity;
  readonly #events: EventRecorder;
  readonly #owners: OwnerLookup;
  readonly #graph = new DependencyGraph();
  /** Owners with foreground deletion that wait for their dependents: keys by uid. */
  readonly #foregroundOwners = new Map<string, string>();
  /** Keys of objects with an owner of an unknown kind, which may be defined later. */
  readonly #unresolvedOwners = new Set<string>();
  /** Prefixes of CustomResourceDefinitions and APIServices. */
  readonly #kindPrefixes: readonly string[];
  readonly #toDelete: WorkQueue;
  readonly #toOrphan: WorkQueue;
  readonly #stopped = new AbortController();
  #currentList = {};
  /** Resolves once the initial list is complete: before that an owner may have dependents that the graph lacks. */
  #listed = Promise.resolve();
  #unsubscribe = () => {};

  constructor({ api, identity, events, aggregatedApis, newQueue }: ControllerContext) {
    this.#api = api;
    this.#events = events;
    this.#identity = identity;
    this.#owners = new OwnerLookup(api, aggregatedApis);
    const { registry, dialect } = api;
    this.#kindPrefixes = [
      registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions').prefix,
      registry.kind(dialect.groupName('apiregistration'), 'v1', 'apiservices').prefix,
    ];
    this.#toDelete = newQueue({
      name: 'garbage_collector_attempt_to_delete',
      reconcile: (key) => this.#attemptToDelete(key),
      workers: concurrency,
    });
    this.#toOrphan = newQueue({
      name: 'garbage_collector_attempt_to_orphan',
      reconcile: (key) => this.#attemptToOrphan(key),
    });
  }

  start(): void {
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      for (const change of changes) this.#onChange(change);
    });
    this.#listed = this.#listAll();
  }

  reset(): void {
    this.#graph.clear();
    this.#foregroundOwners.clear();
    this.#unresolvedOwners.clear();
    this.#owners.clear();
    this.#toDelete.clear();
    this.#toOrphan.clear();
    this.#listed = this.#listAll();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#currentList = {};
    this.#unsubscribe();
    await Promise.all([this.#toDelete.close(), this.#toOrphan.close()]);
  }

  /** The initial list. Concurrent changes arrive through the subscription. */
  async #listAll(): Promise<void> {
    const reading = {};
    this.#currentList = reading;
    const isOver = () => this.#currentList !== reading;
    for (const { prefix } of this.#api.registry.stored) {
      if (prefix === ignoredPrefix) continue;
      await walk(
        this.#api.store,
        `${prefix}/`,
        (object) => this.#onUpsert(object, '', ownerReferencesJson(object)),
        isOver,
      );
    }
  }

  #onChange({ prefix, type, object, previous }: Change): void {
    if (prefix === ignoredPrefix) return;
    if (this.#kindPrefixes.includes(prefix)) this.#requeueUnresolved();
    const before = previous ? ownerReferencesJson(previous) : '';
    const after = type === 'deleted' ? '' : ownerReferencesJson(object);
    if (type === 'deleted') {
      this.#unresolvedOwners.delete(object.key);
      if (before !== '') this.#updateGraph(object, before, after);
      this.#onDelete(object);
    } else this.#onUpsert(object, before, after);
  }

  #onUpsert(object: StoredObject, before: string, after: string): void {
    if (before !== after) this.#updateGraph(object, before, after);
    const ending = deletingMetadata(object);
    if (!ending) return;
    const { uid = '', finalizers = [] } = ending;
    const { key } = object;
    if (!finalizers.includes(foregroundFinalizer)) this.#foregroundOwners.delete(uid);
    else if (!this.#foregroundOwners.has(uid)) {
      this.#foregroundOwners.set(uid, key);
      for (const dependent of this.#graph.dependentsOf(uid).keys()) this.#toDelete.add(dependent);
      this.#toDelete.add(key);
    }
    if (finalizers.includes(orphanFinalizer)) this.#toOrphan.add(key);
  }

  #updateGraph({ key }: StoredObject, before: string, after: string): void {
    const [old, owners] = [parseOwnerReferences(before), parseOwnerReferences(after)];
    this.#graph.remove(key, old);
    this.#graph.add(key, owners);
    for (const { uid } of old) this.#requeueUnblocked(uid);
    if (owners.length === 0) return;
    const namespace = this.#namespaceOf(key);
    const mayBeAlone = (owner: OwnerReference) => this.#owners.stateOf(namespace, owner) !== 'there';
    if (owners.length > maxInlineOwners || owners.some(mayBeAlone)) this.#toDelete.add(key);
  }

  #onDelete(object: StoredObject): void {
    if (this.#graph.isEmpty && this.#foregroundOwners.size === 0) return;
    const uid = uidOf(object);
    this.#foregroundOwners.delete(uid);
    const dependents = this.#graph.dependentsOf(uid);
    if (dependents.size > 0) this.#owners.recordDeletion(uid, this.#namespaceOf(object.key));
    for (const key of dependents.keys()) this.#toDelete.add(key);
  }

  #requeueUnblocked(uid: string): void {
    const key = this.#foregroundOwners.get(uid);
    if (key !== undefined && !this.#graph.isBlocked(uid)) this.#toDelete.add(key);
  }

  #requeueUnresolved(): void {
    for (const key of this.#unresolvedOwners) this.#toDelete.add(key);
    this.#unresolvedOwners.clear();
  }

  #namespaceOf(key: string): string {
    return this.#api.registry.storedAt(key)?.namespaceAndName(key).namespace ?? '';
  }

  /** Repeats, as the store may be reset during the initial list. */
  async #untilListed(): Promise<void> {
    for (let read: unknown; read !== this.#listed; await this.#listed) read = this.#listed;
  }

  async #attemptToDelete(key: string): Promise<void> {
    await this.#untilListed();
    const found = this.#find(key);
    if (!found) return;
    const { target, metadata } = found;
    if (!metadata.deletionTimestamp) await this.#reconcileOwners(key, target, metadata);
    else if (metadata.finalizers?.includes(foregroundFinalizer) && !this.#graph.isBlocked(metadata.uid!)) {
      await this.#removeFinalizer(target, metadata, foregroundFinalizer);
    }
  }

  /** Deletes an object without remaining owners, or removes its dangling references. */
  async #reconcileOwners(key: string, target: Target, metadata: ObjectMetadata): Promise<void> {
    const { uid = '', ownerReferences = [], finalizers = [] } = metadata;
    if (ownerReferences.length === 0) return;
    const sorted = await this.#owners.classify(target.namespace, ownerReferences);
    const { there, absent, leaving, outOfReach, unknown } = sorted;
    await this.#warnOfOtherNamespaces(target, metadata, [...absent, ...outOfReach]);
    if (unknown.length > 0) this.#unresolvedOwners.add(key);
    if (unknown.length > 0 || outOfReach.length > 0) return;
    if (there.length > 0) {
      const lost = [...absent, ...leaving].map((owner) => owner.uid);
      if (lost.length > 0) await this.#removeOwners(target, metadata, new Set(lost));
    } else if (leaving.length > 0 && this.#graph.dependentsOf(uid).size > 0) {
      // Breaks circles of owners that would wait for each other forever.
      const isRound = this.#dependentsOf(uid).some(isWaitingForDependents);
      const state = isRound ? await this.#unblock(target, metadata) : metadata;
      await this.#delete(target, state, 'Foreground');
    } else {
      const wish = finalizers.includes(orphanFinalizer) ? 'Orphan' : undefined;
      await this.#delete(
        target,
        metadata,
        wish ?? (finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'),
      );
    }
  }

  async #attemptToOrphan(key: string): Promise<void> {
    await this.#untilListed();
    const found = this.#find(key);
    if (!found) return;
    const { target, metadata } = found;
    const { uid = '', deletionTimestamp, finalizers = [] } = metadata;
    if (!deletionTimestamp || !finalizers.includes(orphanFinalizer)) return;
    const dependents = [...this.#graph.dependentsOf(uid).keys()];
    for (let start = 0; start < dependents.length; start += concurrency) {
      if (this.#stopped.signal.aborted) return;
      const some = dependents.slice(start, start + concurrency).flatMap((each) => this.#find(each) ?? []);
      await Promise.all(some.map((one) => this.#removeOwners(one.target, one.metadata, new Set([uid]))));
    }
    await this.#removeFinalizer(target, metadata, orphanFinalizer);
  }

  #find(key: string): { readonly target: Target; readonly metadata: ObjectMetadata } | undefined {
    const resource = this.#api.registry.storedAt(key);
    const stored = resource && this.#api.store.get(key);
    const metadata = stored && storedMetadata(stored);
    return metadata && { target: { resource, ...resource.namespaceAndName(key), subresource: '' }, metadata };
  }

  #dependentsOf(uid: string): StoredObject[] {
    return [...this.#graph.dependentsOf(uid).keys()].flatMap((key) => this.#api.store.get(key) ?? []);
  }

  async #delete(
    target: Target,
    { uid = '', resourceVersion = '' }: ObjectMetadata,
    propagationPolicy: ValidatedDeleteOptions['propagationPolicy'],
  ): Promise<void> {
    const options = { ...defaultDeleteOptions, propagationPolicy, preconditions: { uid, resourceVersion } };
    const { signal } = this.#stopped;
    const request = {
      user: this.#identity.user,
      warnings: [],
      signal,
      audit: undefined,
      deadlineMs: undefined,
      externalLatencyMs: 0,
    };
    await ignoreNotFound(deleteObject(this.#api, target, options, request));
  }

  #removeOwners(target: Target, metadata: ObjectMetadata, owners: ReadonlySet<string>): Promise<void> {
    return this.#change(target, metadata, (object) => {
      const kept = (object.ownerReferences ?? []).filter(({ uid }) => !owners.has(uid));
      if (kept.length > 0) object.ownerReferences = kept;
      else delete object.ownerReferences;
    });
  }

  #removeFinalizer(target: Target, metadata: ObjectMetadata, finalizer: string): Promise<void> {
    return this.#change(target, metadata, (object) => removeFinalizer(object, finalizer));
  }

  async #unblock(target: Target, metadata: ObjectMetadata): Promise<ObjectMetadata> {
    await this.#change(target, metadata, (object) => {
      for (const owner of object.ownerReferences ?? []) {
        if (owner.blockOwnerDeletion) owner.blockOwnerDeletion = false;
      }
    });
    return this.#find(target.resource.key(target.namespace, target.name))?.metadata ?? metadata;
  }

  #change(
    target: Target,
    metadata: ObjectMetadata,
    change: (metadata: ObjectMetadata) => void,
  ): Promise<void> {
    return patchMetadata(this.#api, this.#identity, target, metadata, change);
  }

  async #warnOfOtherNamespaces(
    target: Target,
    metadata: ObjectMetadata,
    owners: readonly OwnerReference[],
  ): Promise<void> {
    const turns = new CooperativeYield();
    for (const owner of owners) {
      await turns.next();
      const kind = this.#owners.kindOf(owner);
      if (!kind?.definition.namespaced || !(await existsInOtherNamespace(this.#api.store, kind, owner)))
        continue;
      const { resource, namespace, name: own } = target;
      const { apiVersion, kind: ownKind } = resource;
      const where = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
      this.#events.record({
        involvedObject: {
          apiVersion,
          kind: ownKind,
          name: own,
          uid: metadata.uid!,
          ...(namespace && { namespace }),
        },
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${where} does not exist in namespace "${namespace}"`,
        component: name,
      });
    }
  }
}
