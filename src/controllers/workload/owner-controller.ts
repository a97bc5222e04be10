// Base of controllers of workloads: an owner with a selector, and children that it creates, adopts, releases and deletes
// (upstream: the common parts of the workload controllers, and controller_ref_manager.go).
import type { ChangeableMetadata } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { ResourceId } from '../../client/informers.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import { removeFinalizer } from '../runtime/finalizers.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { controllerOf, controllerOfStored, controllerReference } from './controller-reference.ts';
import { Expectations } from './expectations.ts';
import { OwnerEvents } from './owner-events.ts';
import { selectorIndexValues, selectorIndexValuesOfLabels } from './selector-index.ts';

interface WorkloadObject {
  readonly metadata: ObjectMetadata;
}

export interface OwnerControllerOptions<Owner, Child> {
  readonly owner: ResourceId;
  readonly child: ResourceId;
  /** The name in logs and metrics. */
  readonly queueName: string;
  /** Concurrent reconciliations. */
  readonly workers: number;
  /** The source of Events. */
  readonly component: string;
  selectorOf(owner: Owner): LabelSelector | undefined;
  /** A finalizer that children have while the owner is their controller. */
  readonly childFinalizer?: string;
  /** The fields of a child that the controller reads, which are kept in memory. By default all but managedFields. */
  keptOfChild?(child: Child): Child;
}

/** Larger children are decoded whenever they are read, and not kept. */
const maxKeptBytes = 64 * 1024;

/** Attempts of a status write that conflicts with other writes. */
const maxStatusAttempts = 5;

/**
 * Queues the key of an owner when it or one of its children changes, and when a child that it may adopt appears. Subclasses
 * reconcile the keys.
 */
export abstract class OwnerController<Owner extends WorkloadObject, Child extends WorkloadObject>
  implements Controller
{
  protected readonly context: ControllerContext;
  protected readonly queue: WorkQueue;
  protected readonly owners: Informer<Owner>;
  protected readonly children: Informer<Child>;
  protected readonly expectations: Expectations;
  protected readonly events: OwnerEvents;
  readonly #options: OwnerControllerOptions<Owner, Child>;
  /** Decoded children by key, until they change. */
  readonly #keptChildren = new Map<string, Child>();
  readonly #childMetadata: Lister<ApiObject>;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext, options: OwnerControllerOptions<Owner, Child>) {
    const { informers, newQueue, clock, events } = context;
    const { owner, child, queueName, workers, component, selectorOf } = options;
    this.context = context;
    this.#options = options;
    this.queue = newQueue({ name: queueName, workers, reconcile: (key) => this.#reconcileSynced(key) });
    this.expectations = new Expectations(clock);
    this.owners = informers.informer<Owner>(
      owner,
      {
        onAdd: ({ key }) => this.queue.add(key),
        onUpdate: (_oldOwner, { key }) => this.queue.add(key),
        onDelete: (object) => this.#onOwnerDelete(object),
        onReset: () => {
          this.queue.clear();
          this.expectations.clear();
        },
      },
      {
        selector: (object) => {
          const decoded = object.tryDecodeLazily();
          return decoded ? selectorIndexValues(object.namespace, selectorOf(decoded)) : [];
        },
        controller: (object) => {
          const controller = controllerOfStored(object);
          return controller ? [controller.uid] : [];
        },
      },
    );
    this.children = informers.informer<Child>(
      child,
      {
        onAdd: (object) => this.#onChildAdd(object),
        onUpdate: (oldObject, newObject) => this.#onChildUpdate(oldObject, newObject),
        onDelete: (object) => this.#onChildDelete(object),
        onReset: () => this.#keptChildren.clear(),
      },
      {
        owner: (object) => {
          const controller = controllerOfStored(object);
          if (!controller) return [orphansOf(object.namespace)];
          return this.#isOwnKind(controller) ? [controller.uid] : [];
        },
      },
    );
    this.#childMetadata = informers.lister<ApiObject>(child);
    this.events = new OwnerEvents(events, this.owners.resource, component);
  }

  start(): void {
    this.children.start();
    this.owners.start();
  }

  reset(): void {
    this.children.reset();
    this.owners.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.children.close();
    this.owners.close();
    await this.queue.close();
  }

  /** Reconciles the current state of an owner. */
  protected abstract reconcile(key: string, owner: Owner): Promise<void>;

  /** An owner is gone. */
  protected onOwnerDelete(_uid: string): void {}

  /** A child was added or updated, of whatever controller. */
  protected onChildChange(_child: InformerObject<Child>, _controller: OwnerReference | undefined): void {}

  /** Aborted when the controller stops. */
  protected get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /** The reference that the children of an owner have. */
  protected ownerReference(owner: Owner): OwnerReference {
    return controllerReference(this.owners.resource, owner.metadata);
  }

  /** The children that have an owner as their controller, whether its selector matches them or not. */
  protected childrenOf(ownerUid: string): Child[] {
    return Array.from(this.children.keysByIndex('owner', ownerUid)).flatMap(
      (key) => this.#childOf(key) ?? [],
    );
  }

  /** A change of one child makes its owner read all of them, so they are decoded only once. */
  #childOf(key: string): Child | undefined {
    const kept = this.#keptChildren.get(key);
    if (kept) return kept;
    const object = this.children.getByKey(key);
    const decoded = object?.tryDecodeLazily();
    if (!decoded) return undefined;
    const child = this.#options.keptOfChild?.(decoded) ?? withoutManagedFields(decoded);
    if (object!.json.length <= maxKeptBytes) this.#keptChildren.set(key, child);
    return child;
  }

  /** The children that have an owner as their controller and whose labels its selector matches, without adopting others. */
  protected ownedChildren(owner: Owner): Child[] {
    const matches = this.#matcherOf(owner);
    return this.childrenOf(owner.metadata.uid ?? '').filter(({ metadata }) => matches(metadata.labels));
  }

  /**
   * Returns the children of an owner: adopts those without a controller that its selector matches, and releases those that it no
   * longer matches. Children that are not candidates are left as they are.
   */
  protected async claimChildren(
    owner: Owner,
    isCandidate: (child: Child) => boolean = () => true,
  ): Promise<Child[]> {
    const { uid = '', namespace = '', deletionTimestamp } = owner.metadata;
    const matches = this.#matcherOf(owner);
    const claimed: Child[] = [];
    for (const child of this.childrenOf(uid).filter(isCandidate)) {
      if (matches(child.metadata.labels)) claimed.push(child);
      else if (!deletionTimestamp) await this.#release(child, uid);
    }
    if (deletionTimestamp) return claimed;
    const orphans = this.children
      .byIndex('owner', orphansOf(namespace))
      .filter(({ labels }) => matches(Object.fromEntries(labels)))
      .flatMap((orphan) => orphan.tryDecodeLazily() ?? [])
      .filter((orphan) => orphan.metadata.deletionTimestamp === undefined && isCandidate(orphan));
    if (orphans.length === 0 || !(await this.mayAdopt(owner))) return claimed;
    for (const orphan of orphans) {
      if (!(await this.#adopt(orphan, owner))) continue;
      const adopted = this.children.get(namespace, orphan.metadata.name ?? '')?.tryDecodeLazily();
      if (adopted?.metadata.uid === orphan.metadata.uid) claimed.push(adopted!);
    }
    return claimed;
  }

  /** Updates the status of the latest state of an owner. A deleted owner, also if it was created again, is no error. */
  protected async updateStatus({ metadata }: Owner, change: (latest: Owner) => void): Promise<void> {
    const { client, identity } = this.context;
    const { namespace = '', name = '', uid } = metadata;
    const options = { subresource: 'status', ...identity };
    for (let attempt = 1; ; attempt++) {
      const cached = this.owners.get(namespace, name);
      if (cached?.metadata()?.uid !== uid) return;
      try {
        await client.mutate(this.owners, cached!.key, change, options);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 404) return;
        if (error.code !== 409 || attempt === maxStatusAttempts) throw error;
      }
    }
  }

  /** Whether the selector of an owner matches labels. */
  #matcherOf(owner: Owner): (labels?: Record<string, string>) => boolean {
    const selector = this.#options.selectorOf(owner);
    return (labels) => selector !== undefined && labelSelectorMatches(selector, labels);
  }

  async #reconcileSynced(key: string): Promise<void> {
    await this.children.hasSynced;
    const owner = this.owners.getByKey(key)?.decodeLazily();
    if (owner) await this.reconcile(key, owner);
  }

  #isOwnKind({ kind }: OwnerReference): boolean {
    return kind === this.owners.resource.kind;
  }

  #onOwnerDelete(object: InformerObject<Owner>): void {
    const uid = object.metadata()?.uid;
    if (uid !== undefined) {
      this.expectations.delete(uid);
      this.onOwnerDelete(uid);
    }
    this.queue.add(object.key);
  }

  #onChildAdd(child: InformerObject<Child>): void {
    this.#keptChildren.delete(child.key);
    const controller = controllerOfStored(child);
    this.onChildChange(child, controller);
    if (!controller) {
      this.#enqueueMatchingOwners(child);
    } else if (this.#isOwnKind(controller)) {
      this.expectations.creationObserved(controller.uid);
      this.#observeDeletion(controller, child);
      this.#enqueueOwner(controller, child);
    }
  }

  #onChildUpdate(oldChild: InformerObject<Child>, child: InformerObject<Child>): void {
    this.#keptChildren.delete(child.key);
    const oldController = controllerOfStored(oldChild);
    const controller = controllerOfStored(child);
    this.onChildChange(child, controller);
    if (oldController && oldController.uid !== controller?.uid) {
      // A released child counts as deleted.
      this.expectations.deletionObserved(oldController.uid, child.key);
      this.#enqueueOwner(oldController, child);
    }
    if (!controller) {
      this.#enqueueMatchingOwners(child);
    } else if (this.#isOwnKind(controller)) {
      this.#observeDeletion(controller, child);
      this.#enqueueOwner(controller, child);
    }
  }

  #onChildDelete(child: InformerObject<Child>): void {
    this.#keptChildren.delete(child.key);
    const controller = controllerOfStored(child);
    if (!controller || !this.#isOwnKind(controller)) return;
    this.expectations.deletionObserved(controller.uid, child.key);
    this.#enqueueOwner(controller, child);
  }

  #observeDeletion(controller: OwnerReference, child: InformerObject<Child>): void {
    if (child.metadata()?.deletionTimestamp !== undefined)
      this.expectations.deletionObserved(controller.uid, child.key);
  }

  #enqueueOwner(controller: OwnerReference, { namespace }: InformerObject<Child>): void {
    if (this.#isOwnKind(controller)) this.queue.add(`${namespace}/${controller.name}`);
  }

  #enqueueMatchingOwners({ namespace, labels }: InformerObject<Child>): void {
    for (const value of selectorIndexValuesOfLabels(namespace, labels)) {
      for (const key of this.owners.keysByIndex('selector', value)) this.queue.add(key);
    }
  }

  /** Reads the latest state of the owner: one that is being deleted must not adopt what its deletion has just orphaned. */
  protected async mayAdopt({ metadata }: Owner): Promise<boolean> {
    const { apiVersion, kind } = this.owners.resource;
    const { name = '', namespace = '', uid } = metadata;
    try {
      const latest = await this.context.client.get({ apiVersion, kind, name, namespace });
      return latest.metadata.uid === uid && latest.metadata.deletionTimestamp === undefined;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  /** Returns false if the child is gone, or has another controller by now. */
  async #adopt({ metadata }: Child, owner: Owner): Promise<boolean> {
    let isAdopted = false;
    await this.#changeMetadata(metadata, (child) => {
      const controller = controllerOf(child);
      isAdopted = controller === undefined || controller.uid === owner.metadata.uid;
      if (controller) return;
      child.ownerReferences = [...(child.ownerReferences ?? []), this.ownerReference(owner)];
      const { childFinalizer } = this.#options;
      if (childFinalizer !== undefined && !child.finalizers?.includes(childFinalizer))
        child.finalizers = [...(child.finalizers ?? []), childFinalizer];
    });
    return isAdopted;
  }

  #release({ metadata }: Child, ownerUid: string): Promise<void> {
    return this.#changeMetadata(metadata, (child) => {
      const kept = (child.ownerReferences ?? []).filter(({ uid }) => uid !== ownerUid);
      if (kept.length > 0) child.ownerReferences = kept;
      else delete child.ownerReferences;
      const { childFinalizer } = this.#options;
      if (childFinalizer !== undefined) removeFinalizer(child, childFinalizer);
    });
  }

  /** Removes the finalizer from a child. One that was deleted meanwhile is no error. */
  protected releaseFinalizer({ metadata }: Child, finalizer: string): Promise<void> {
    return this.#changeMetadata(metadata, (child) => removeFinalizer(child, finalizer));
  }

  /** A child that was deleted meanwhile is no error. */
  async #changeMetadata(
    { namespace, name, uid = '' }: ObjectMetadata,
    change: (child: ChangeableMetadata) => void,
  ): Promise<void> {
    const { client, identity } = this.context;
    await client.mutateMetadata(this.#childMetadata, `${namespace}/${name}`, uid, change, identity);
  }
}

function withoutManagedFields<T extends { readonly metadata: ObjectMetadata }>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The index value of the children of a namespace that have no controller. */
const orphansOf = (namespace: string) => `orphans of ${namespace}`;
