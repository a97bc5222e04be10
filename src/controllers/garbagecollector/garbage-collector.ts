import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { ObjectMeta, OwnerReference } from '../../kind/api-object.ts';
import { type DeleteOptions, plainDelete } from '../../kind/delete-options.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Api, Target } from '../../registry/api.ts';
import { ignoreNotFound } from '../../registry/ignore-not-found.ts';
import { deleteObject, foreground, orphan } from '../../registry/verbs/delete.ts';
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

/** Many at once, so that they share one write to disk. */
const atOnce = 64;

/** So many owners of an object are looked for at once where it is heard of; for more it waits its turn. */
const fewOwners = 100;

/** There are too many of them, and they go by themselves. */
const ignored = 'events';

/**
 * Deletes what has lost all its owners, and sees to it that owners and dependents go in the order that was asked for:
 *
 * - An object whose owners are all gone goes too; one that still has an owner only forgets the others.
 * - An owner that goes in the foreground stays until its dependents that block it are gone. They are told to go meanwhile.
 * - An owner that leaves orphans behind stays until its dependents have forgotten it.
 *
 * It follows the log, and remembers of the objects that have owners only that. Whether an owner is there is seen in the store.
 */
export class GarbageCollector implements Controller {
  readonly #api: Api;
  readonly #acting: ControllerIdentity;
  readonly #events: EventRecorder;
  readonly #owners: OwnerLookup;
  readonly #ownership = new DependencyGraph();
  /** By uid, the keys of owners that wait for their dependents to go. */
  readonly #waiting = new Map<string, string>();
  /** Keys of objects with an owner of a kind that nobody knows: it may yet come. */
  readonly #puzzling = new Set<string>();
  /** Where objects lie that say which kinds there are, and who keeps them. */
  readonly #aboutKinds: readonly string[];
  readonly #toDelete: WorkQueue;
  readonly #toOrphan: WorkQueue;
  readonly #stopped = new AbortController();
  #reading = {};
  /** Resolves once all there was has been read: before that nobody can say that nothing depends on an object. */
  #isRead = Promise.resolve();
  #unsubscribe = () => {};

  constructor({ api, identity, events, aggregatedApis, newQueue }: ControllerContext) {
    this.#api = api;
    this.#events = events;
    this.#acting = identity;
    this.#owners = new OwnerLookup(api, aggregatedApis);
    const { registry, dialect } = api;
    this.#aboutKinds = [
      registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions').prefix,
      registry.kind(dialect.groupName('apiregistration'), 'v1', 'apiservices').prefix,
    ];
    this.#toDelete = newQueue({
      name: 'garbage_collector_attempt_to_delete',
      reconcile: (key) => this.#look(key),
      workers: atOnce,
    });
    this.#toOrphan = newQueue({
      name: 'garbage_collector_attempt_to_orphan',
      reconcile: (key) => this.#leaveOrphans(key),
    });
  }

  start(): void {
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      for (const change of changes) this.#hear(change);
    });
    this.#isRead = this.#readAll();
  }

  reset(): void {
    this.#ownership.clear();
    this.#waiting.clear();
    this.#puzzling.clear();
    this.#owners.clear();
    this.#toDelete.clear();
    this.#toOrphan.clear();
    this.#isRead = this.#readAll();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#reading = {};
    this.#unsubscribe();
    await Promise.all([this.#toDelete.close(), this.#toOrphan.close()]);
  }

  /** What there is already; what changes meanwhile is heard of. */
  async #readAll(): Promise<void> {
    const reading = {};
    this.#reading = reading;
    const isOver = () => this.#reading !== reading;
    for (const { prefix } of this.#api.registry.stored) {
      if (prefix === ignored) continue;
      await walk(
        this.#api.store,
        `${prefix}/`,
        (object) => this.#seen(object, '', ownerReferencesJson(object)),
        isOver,
      );
    }
  }

  #hear({ prefix, type, object, previous }: Change): void {
    if (prefix === ignored) return;
    if (this.#aboutKinds.includes(prefix)) this.#kindsHaveChanged();
    const before = previous ? ownerReferencesJson(previous) : '';
    const after = type === 'deleted' ? '' : ownerReferencesJson(object);
    if (type === 'deleted') {
      this.#puzzling.delete(object.key);
      if (before !== '') this.#relate(object, before, after);
      this.#hasGone(object);
    } else this.#seen(object, before, after);
  }

  #seen(object: StoredObject, before: string, after: string): void {
    if (before !== after) this.#relate(object, before, after);
    const ending = deletingMetadata(object);
    if (!ending) return;
    const { uid = '', finalizers = [] } = ending;
    const { key } = object;
    if (!finalizers.includes(foreground)) this.#waiting.delete(uid);
    else if (!this.#waiting.has(uid)) {
      this.#waiting.set(uid, key);
      for (const dependent of this.#ownership.dependentsOf(uid).keys()) this.#toDelete.add(dependent);
      this.#toDelete.add(key);
    }
    if (finalizers.includes(orphan)) this.#toOrphan.add(key);
  }

  #relate({ key }: StoredObject, before: string, after: string): void {
    const [old, owners] = [parseOwnerReferences(before), parseOwnerReferences(after)];
    this.#ownership.remove(key, old);
    this.#ownership.add(key, owners);
    for (const { uid } of old) this.#mayGoOn(uid);
    if (owners.length === 0) return;
    const namespace = this.#namespaceOf(key);
    const mayBeAlone = (owner: OwnerReference) => this.#owners.stateOf(namespace, owner) !== 'there';
    if (owners.length > fewOwners || owners.some(mayBeAlone)) this.#toDelete.add(key);
  }

  #hasGone(object: StoredObject): void {
    if (this.#ownership.isEmpty && this.#waiting.size === 0) return;
    const uid = uidOf(object);
    this.#waiting.delete(uid);
    const dependents = this.#ownership.dependentsOf(uid);
    if (dependents.size > 0) this.#owners.recordDeletion(uid, this.#namespaceOf(object.key));
    for (const key of dependents.keys()) this.#toDelete.add(key);
  }

  #mayGoOn(uid: string): void {
    const key = this.#waiting.get(uid);
    if (key !== undefined && !this.#ownership.isBlocked(uid)) this.#toDelete.add(key);
  }

  #kindsHaveChanged(): void {
    for (const key of this.#puzzling) this.#toDelete.add(key);
    this.#puzzling.clear();
  }

  #namespaceOf(key: string): string {
    return this.#api.registry.storedAt(key)?.placeOf(key).namespace ?? '';
  }

  /** The store may become another one while the last is still being read. */
  async #hasRead(): Promise<void> {
    for (let read: unknown; read !== this.#isRead; await this.#isRead) read = this.#isRead;
  }

  async #look(key: string): Promise<void> {
    await this.#hasRead();
    const found = this.#find(key);
    if (!found) return;
    const { target, metadata } = found;
    if (!metadata.deletionTimestamp) await this.#judge(key, target, metadata);
    else if (metadata.finalizers?.includes(foreground) && !this.#ownership.isBlocked(metadata.uid!)) {
      await this.#release(target, metadata, foreground);
    }
  }

  /** Deletes an object that nobody keeps, or lets it forget those who do not. */
  async #judge(key: string, target: Target, metadata: ObjectMeta): Promise<void> {
    const { uid = '', ownerReferences = [], finalizers = [] } = metadata;
    if (ownerReferences.length === 0) return;
    const sorted = await this.#owners.classify(target.namespace, ownerReferences);
    const { there, absent, leaving, outOfReach, unknown } = sorted;
    await this.#warnOfOtherNamespaces(target, metadata, [...absent, ...outOfReach]);
    if (unknown.length > 0) this.#puzzling.add(key);
    if (unknown.length > 0 || outOfReach.length > 0) return;
    if (there.length > 0) {
      const lost = [...absent, ...leaving].map((owner) => owner.uid);
      if (lost.length > 0) await this.#forget(target, metadata, new Set(lost));
    } else if (leaving.length > 0 && this.#ownership.dependentsOf(uid).size > 0) {
      // Two that wait for each other would wait forever.
      const isRound = this.#dependentsOf(uid).some(isWaitingForDependents);
      const state = isRound ? await this.#unblock(target, metadata) : metadata;
      await this.#delete(target, state, 'Foreground');
    } else {
      const wish = finalizers.includes(orphan) ? 'Orphan' : undefined;
      await this.#delete(
        target,
        metadata,
        wish ?? (finalizers.includes(foreground) ? 'Foreground' : 'Background'),
      );
    }
  }

  async #leaveOrphans(key: string): Promise<void> {
    await this.#hasRead();
    const found = this.#find(key);
    if (!found) return;
    const { target, metadata } = found;
    const { uid = '', deletionTimestamp, finalizers = [] } = metadata;
    if (!deletionTimestamp || !finalizers.includes(orphan)) return;
    const dependents = [...this.#ownership.dependentsOf(uid).keys()];
    for (let start = 0; start < dependents.length; start += atOnce) {
      if (this.#stopped.signal.aborted) return;
      const some = dependents.slice(start, start + atOnce).flatMap((each) => this.#find(each) ?? []);
      await Promise.all(some.map((one) => this.#forget(one.target, one.metadata, new Set([uid]))));
    }
    await this.#release(target, metadata, orphan);
  }

  #find(key: string): { readonly target: Target; readonly metadata: ObjectMeta } | undefined {
    const resource = this.#api.registry.storedAt(key);
    const stored = resource && this.#api.store.get(key);
    const metadata = stored && storedMetadata(stored);
    return metadata && { target: { resource, ...resource.placeOf(key), subresource: '' }, metadata };
  }

  #dependentsOf(uid: string): StoredObject[] {
    return [...this.#ownership.dependentsOf(uid).keys()].flatMap((key) => this.#api.store.get(key) ?? []);
  }

  async #delete(
    target: Target,
    { uid = '', resourceVersion = '' }: ObjectMeta,
    propagationPolicy: DeleteOptions['propagationPolicy'],
  ): Promise<void> {
    const options = { ...plainDelete, propagationPolicy, preconditions: { uid, resourceVersion } };
    const { signal } = this.#stopped;
    const request = { user: this.#acting.user, warnings: [], signal, audit: undefined };
    await ignoreNotFound(deleteObject(this.#api, target, options, request));
  }

  #forget(target: Target, metadata: ObjectMeta, owners: ReadonlySet<string>): Promise<void> {
    return this.#change(target, metadata, (object) => {
      const kept = (object.ownerReferences ?? []).filter(({ uid }) => !owners.has(uid));
      if (kept.length > 0) object.ownerReferences = kept;
      else delete object.ownerReferences;
    });
  }

  #release(target: Target, metadata: ObjectMeta, finalizer: string): Promise<void> {
    return this.#change(target, metadata, (object) => removeFinalizer(object, finalizer));
  }

  async #unblock(target: Target, metadata: ObjectMeta): Promise<ObjectMeta> {
    await this.#change(target, metadata, (object) => {
      for (const owner of object.ownerReferences ?? []) {
        if (owner.blockOwnerDeletion) owner.blockOwnerDeletion = false;
      }
    });
    return this.#find(target.resource.key(target.namespace, target.name))?.metadata ?? metadata;
  }

  #change(target: Target, metadata: ObjectMeta, change: (metadata: ObjectMeta) => void): Promise<void> {
    return patchMetadata(this.#api, this.#acting, target, metadata, change);
  }

  async #warnOfOtherNamespaces(
    target: Target,
    metadata: ObjectMeta,
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
