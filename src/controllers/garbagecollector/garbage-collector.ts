// garbage-collector-controller: cascading deletion along ownerReferences.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { ChangeableMetadata, Client } from '../../client/client.ts';
import type { Informers } from '../../client/informers.ts';
import type { ApiObject, ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import {
  foregroundFinalizer,
  orphanFinalizer,
  type ValidatedDeleteOptions,
} from '../../kind/delete-options.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { tryReadMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Controller, ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { removeFinalizer } from '../runtime/finalizers.ts';
import type { MonitoredObject, ResourceChange, ResourceMonitor } from '../runtime/resource-monitor.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { DependencyGraph } from './dependency-graph.ts';
import { existsInOtherNamespace } from './owner-in-other-namespace.ts';
import { isWaitingForDependents, metadataIfTerminating, OwnerLookup } from './owner-lookup.ts';
import { ownerReferencesJson, parseOwnerReferences, uidOf } from './owner-references.ts';
import { UnresolvedOwners } from './unresolved-owners.ts';

const component = 'garbage-collector-controller';

/** Concurrent reconciliations: they share group commits. */
const concurrency = 64;

/** Up to this many owners are looked up as soon as a change arrives; objects with more go through the queue. */
const maxInlineOwners = 100;

/** Owners of one object that are searched in all namespaces. The event recorder would drop most of the Events for more. */
const maxWarnedOwners = 100;

/** The storage prefix of Events, which are many and expire by themselves. */
const ignoredPrefix = 'events';

/** An object of any resource in its latest state. */
interface FoundObject {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly metadata: ObjectMetadata;
}

/**
 * Deletes objects whose owners are all gone, and orders the deletion of owners and dependents:
 *
 * - An object without remaining owners is deleted; one with a remaining owner loses the references to the others.
 * - An owner with foreground deletion stays until its blocking dependents are gone, which are deleted meanwhile.
 * - An owner with orphan deletion stays until its dependents have lost their reference to it.
 *
 * The graph holds only storage keys of objects with owners. Whether an owner exists is read from the store.
 *
 * An object may have very many owners: ownerReferences are limited by the size of the object alone, as upstream. All
 * reconciliations share one CooperativeYield, so that together they leave the event loop to requests.
 */
export class GarbageCollector implements Controller {
  readonly #client: Client;
  readonly #informers: Informers;
  readonly #kinds: Registry;
  readonly #monitor: ResourceMonitor;
  readonly #identity: ControllerIdentity;
  readonly #events: EventRecorder;
  readonly #owners: OwnerLookup;
  readonly #graph = new DependencyGraph();
  /** Owners with foreground deletion that wait for their dependents: keys by uid. */
  readonly #foregroundOwners = new Map<string, string>();
  readonly #unresolvedOwners = new UnresolvedOwners();
  readonly #yielder = new CooperativeYield();
  /** The storage prefix of APIServices, which decide whether this server or another serves a version. */
  readonly #apiServicesPrefix: string;
  readonly #toDelete: WorkQueue;
  readonly #toOrphan: WorkQueue;
  readonly #stopped = new AbortController();
  /** Identifies the running initial list, which ends once this is another object. */
  #currentListId = {};
  /** Resolves once the initial list is complete: before that an owner may have dependents that the graph lacks. */
  #listed = Promise.resolve();
  #unsubscribe = () => {};
  #unsubscribeKinds = () => {};

  constructor(context: ControllerContext) {
    const { client, informers, kinds, monitor, dialect, aggregatedApis, newQueue } = context;
    this.#client = client;
    this.#informers = informers;
    this.#kinds = kinds;
    this.#monitor = monitor;
    this.#events = context.events;
    this.#identity = context.identity;
    this.#owners = new OwnerLookup(monitor, kinds, aggregatedApis);
    this.#apiServicesPrefix = kinds.kind(dialect.groupName('apiregistration'), 'v1', 'apiservices').prefix;
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
    this.#unsubscribe = this.#monitor.subscribe((change) => this.#onChange(change));
    this.#unsubscribeKinds = this.#kinds.onCustom((resources) => this.#requeueResolved(resources));
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
    this.#currentListId = {};
    this.#unsubscribe();
    this.#unsubscribeKinds();
    await Promise.all([this.#toDelete.close(), this.#toOrphan.close()]);
  }

  /** The initial list. Concurrent changes arrive through the subscription. */
  async #listAll(): Promise<void> {
    const listId = {};
    this.#currentListId = listId;
    const isSuperseded = () => this.#currentListId !== listId;
    const visit = (object: MonitoredObject) => this.#onUpsert(object, '', ownerReferencesJson(object));
    for (const resource of this.#kinds.stored) {
      if (resource.prefix !== ignoredPrefix) await this.#monitor.walk(resource, visit, isSuperseded);
    }
  }

  #onChange({ prefix, type, object, previous }: ResourceChange): void {
    if (prefix === ignoredPrefix) return;
    if (prefix === this.#apiServicesPrefix) this.#onApiService(object);
    const oldOwnersJson = previous ? ownerReferencesJson(previous) : '';
    if (type === 'deleted') {
      this.#unresolvedOwners.delete(object.key);
      if (oldOwnersJson !== '') this.#updateGraph(object, oldOwnersJson, '');
      this.#onDelete(object);
    } else {
      this.#onUpsert(object, oldOwnersJson, ownerReferencesJson(object));
    }
  }

  /** The JSON of ownerReferences is '' without owners. */
  #onUpsert(object: MonitoredObject, oldOwnersJson: string, newOwnersJson: string): void {
    if (oldOwnersJson !== newOwnersJson) this.#updateGraph(object, oldOwnersJson, newOwnersJson);
    const terminatingMetadata = metadataIfTerminating(object);
    if (!terminatingMetadata) return;
    const { uid = '', finalizers = [] } = terminatingMetadata;
    const { key } = object;
    if (!finalizers.includes(foregroundFinalizer)) {
      this.#foregroundOwners.delete(uid);
    } else if (!this.#foregroundOwners.has(uid)) {
      this.#foregroundOwners.set(uid, key);
      for (const dependent of this.#graph.dependentsOf(uid).keys()) this.#toDelete.add(dependent);
      this.#toDelete.add(key);
    }
    if (finalizers.includes(orphanFinalizer)) this.#toOrphan.add(key);
  }

  #updateGraph({ key }: MonitoredObject, oldOwnersJson: string, newOwnersJson: string): void {
    const oldOwners = parseOwnerReferences(oldOwnersJson);
    const owners = parseOwnerReferences(newOwnersJson);
    this.#graph.remove(key, oldOwners);
    this.#graph.add(key, owners);
    for (const { uid } of oldOwners) this.#requeueUnblocked(uid);
    if (owners.length === 0) return;
    const namespace = this.#namespaceOf(key);
    const isNotSolid = (owner: OwnerReference) => this.#owners.stateOf(namespace, owner) !== 'solid';
    if (owners.length > maxInlineOwners || owners.some(isNotSolid)) this.#toDelete.add(key);
  }

  #onDelete(object: MonitoredObject): void {
    if (this.#graph.isEmpty && this.#foregroundOwners.size === 0) return;
    const uid = uidOf(object);
    this.#foregroundOwners.delete(uid);
    const dependents = this.#graph.dependentsOf(uid);
    if (dependents.size > 0) this.#owners.recordDeletion(uid, this.#namespaceOf(object.key));
    for (const key of dependents.keys()) this.#toDelete.add(key);
  }

  /** Requeues an owner with foreground deletion once no dependent blocks it any more. */
  #requeueUnblocked(uid: string): void {
    const key = this.#foregroundOwners.get(uid);
    if (key !== undefined && !this.#graph.isBlocked(uid)) this.#toDelete.add(key);
  }

  /** Requeues the objects that wait for one of these kinds, if it is served now. */
  #requeueResolved(resources: readonly ServedResource[]): void {
    for (const resource of resources) {
      if (!this.#kinds.ofVersion(resource.apiVersion).includes(resource)) continue;
      for (const key of this.#unresolvedOwners.take(resource)) this.#toDelete.add(key);
    }
  }

  /** Owners in a version that another server serves are unknown, until this server serves it. */
  #onApiService({ key }: MonitoredObject): void {
    // Its name is `<version>.<group>`, and `<version>.` in the core group.
    const [version = '', ...group] = key.slice(this.#apiServicesPrefix.length + 1).split('.');
    const groupName = group.join('.');
    this.#requeueResolved(this.#kinds.ofVersion(groupName === '' ? version : `${groupName}/${version}`));
  }

  #namespaceOf(key: string): string {
    return this.#kinds.storedAt(key)?.namespaceAndName(key).namespace ?? '';
  }

  /** Waits again if the store is reset during the initial list, as that starts another one. */
  async #untilListed(): Promise<void> {
    let awaited: Promise<void> | undefined;
    while (awaited !== this.#listed) {
      awaited = this.#listed;
      await awaited;
    }
  }

  async #attemptToDelete(key: string): Promise<void> {
    await this.#untilListed();
    await this.#yielder.next();
    const found = this.#find(key);
    if (!found) return;
    const { metadata } = found;
    if (!metadata.deletionTimestamp) await this.#reconcileOwners(key, found);
    else if (metadata.finalizers?.includes(foregroundFinalizer) && !this.#graph.isBlocked(metadata.uid!)) {
      await this.#removeFinalizer(found, foregroundFinalizer);
    }
  }

  /** Deletes an object without remaining owners, or removes its dangling references. */
  async #reconcileOwners(key: string, found: FoundObject): Promise<void> {
    const { uid = '', ownerReferences = [], finalizers = [] } = found.metadata;
    this.#unresolvedOwners.delete(key);
    if (ownerReferences.length === 0) return;
    const { solid, dangling, waitingForDependents, invalidScope, unknown } = await this.#owners.classify(
      found.namespace,
      ownerReferences,
      this.#yielder,
    );
    await this.#warnOfOtherNamespaces(found, [...dangling, ...invalidScope]);
    if (unknown[0]) this.#waitForKind(key, unknown[0]);
    // The object is not changed while the state of an owner is unclear.
    if (unknown.length > 0 || invalidScope.length > 0) return;
    if (solid.length > 0) {
      const removable = [...dangling, ...waitingForDependents].map((owner) => owner.uid);
      if (removable.length > 0) await this.#removeOwners(found, new Set(removable));
    } else if (waitingForDependents.length > 0 && this.#graph.dependentsOf(uid).size > 0) {
      // Breaks circles of owners that would wait for each other forever.
      const isCycle = await this.#hasDependentWaiting(uid);
      await this.#delete(isCycle ? await this.#unblock(key, found) : found, 'Foreground');
    } else {
      await this.#delete(found, propagationPolicyFor(finalizers));
    }
  }

  #waitForKind(key: string, owner: OwnerReference): void {
    // The object may have been deleted, or the kind served, since the owner was looked up.
    if (!this.#monitor.get(key)) return;
    this.#unresolvedOwners.set(key, owner);
    if (this.#owners.findKind(owner)) this.#toDelete.add(key);
  }

  async #attemptToOrphan(key: string): Promise<void> {
    await this.#untilListed();
    const found = this.#find(key);
    if (!found) return;
    const { uid = '', deletionTimestamp, finalizers = [] } = found.metadata;
    if (!deletionTimestamp || !finalizers.includes(orphanFinalizer)) return;
    const dependents = [...this.#graph.dependentsOf(uid).keys()];
    for (let start = 0; start < dependents.length; start += concurrency) {
      if (this.#stopped.signal.aborted) return;
      const batch = dependents.slice(start, start + concurrency);
      await Promise.all(batch.map((dependent) => this.#orphan(dependent, uid)));
    }
    await this.#removeFinalizer(found, orphanFinalizer);
  }

  async #orphan(key: string, owner: string): Promise<void> {
    await this.#yielder.next();
    const found = this.#find(key);
    if (found) await this.#removeOwners(found, new Set([owner]));
  }

  #find(key: string): FoundObject | undefined {
    const resource = this.#kinds.storedAt(key);
    const object = resource && this.#monitor.get(key);
    const metadata = object && tryReadMetadata(object);
    return metadata && { resource, ...resource.namespaceAndName(key), metadata };
  }

  async #hasDependentWaiting(uid: string): Promise<boolean> {
    for (const key of [...this.#graph.dependentsOf(uid).keys()]) {
      await this.#yielder.next();
      const dependent = this.#monitor.get(key);
      if (dependent && isWaitingForDependents(dependent)) return true;
    }
    return false;
  }

  async #delete(
    found: FoundObject,
    propagationPolicy: ValidatedDeleteOptions['propagationPolicy'],
  ): Promise<void> {
    const { uid = '', resourceVersion = '' } = found.metadata;
    const options = { propagationPolicy, preconditions: { uid, resourceVersion } };
    const caller = { user: this.#identity.user, signal: this.#stopped.signal };
    const lister = this.#informers.listerOf(found.resource);
    await this.#client.deleteByKey(lister, keyOf(found), options, caller);
  }

  #removeOwners(found: FoundObject, owners: ReadonlySet<string>): Promise<void> {
    return this.#updateMetadata(found, (metadata) => {
      const kept = (metadata.ownerReferences ?? []).filter(({ uid }) => !owners.has(uid));
      if (kept.length > 0) metadata.ownerReferences = kept;
      else delete metadata.ownerReferences;
    });
  }

  #removeFinalizer(found: FoundObject, finalizer: string): Promise<void> {
    return this.#updateMetadata(found, (metadata) => removeFinalizer(metadata, finalizer));
  }

  /** Lets the owners of an object be deleted before the object. Returns the updated object. */
  async #unblock(key: string, found: FoundObject): Promise<FoundObject> {
    await this.#updateMetadata(found, (metadata) => {
      for (const owner of metadata.ownerReferences ?? []) {
        if (owner.blockOwnerDeletion) owner.blockOwnerDeletion = false;
      }
    });
    return this.#find(key) ?? found;
  }

  #updateMetadata(found: FoundObject, change: (metadata: ChangeableMetadata) => void): Promise<void> {
    const lister = this.#informers.listerOf<ApiObject>(found.resource);
    const { uid = '' } = found.metadata;
    return this.#client.mutateMetadata(lister, keyOf(found), uid, change, this.#identity);
  }

  /** Records an Event for each owner that exists, but in another namespace, where it cannot own the object. */
  async #warnOfOtherNamespaces(found: FoundObject, owners: readonly OwnerReference[]): Promise<void> {
    const { resource, namespace, name, metadata } = found;
    const { apiVersion, kind } = resource;
    const namespaces = this.#informers.lister({ group: '', version: 'v1', resource: 'namespaces' });
    for (const owner of owners.slice(0, maxWarnedOwners)) {
      await this.#yielder.next();
      const ownerKind = this.#owners.findKind(owner);
      if (!ownerKind?.definition.namespaced) continue;
      if (!(await existsInOtherNamespace(this.#monitor, namespaces, ownerKind, owner))) continue;
      const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
      this.#events.record({
        involvedObject: {
          apiVersion,
          kind,
          name,
          uid: metadata.uid!,
          ...(namespace && { namespace }),
        },
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
        component,
      });
    }
  }
}

/** An orphan or foreground finalizer that the object already has decides the policy. */
function propagationPolicyFor(finalizers: readonly string[]): ValidatedDeleteOptions['propagationPolicy'] {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

const keyOf = ({ namespace, name }: FoundObject) => (namespace === '' ? name : `${namespace}/${name}`);
