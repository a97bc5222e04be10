// API aggregation: the autoregister controller, which maintains the local APIServices, those of the group versions that
// this server serves itself.
import type { APIService } from '../apis/apiregistration/apiservice.ts';
import type { WorkQueue, WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { defaultDeleteOptions } from '../kind/delete-options.ts';
import { defaultWriteOptions } from '../registry/options/write-options.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { create } from '../registry/verbs/create.ts';
import { deleteObject } from '../registry/verbs/delete.ts';
import { guaranteedUpdate } from '../registry/verbs/guaranteed-update.ts';
import { applyDefaults } from '../registry/write/decode.ts';
import type { ApiServices, RegisteredService } from './api-services.ts';
import { apiServiceName, type LocalVersion, localVersions, type Preference } from './priorities.ts';

/** The automanaged label of the APIServices of built-in versions. */
const onStart = 'onstart';
/** The automanaged label of the APIServices of custom resources. */
const always = 'true';

/**
 * Creates the APIServices of built-in versions at start and does not change them afterwards; creates and deletes those of
 * custom resources as their definitions change.
 */
export class AutoregisterController {
  readonly #api: VerbContext;
  readonly #services: ApiServices;
  readonly #prefer: Preference | undefined;
  readonly #queue: WorkQueue;
  /** Names of APIServices of custom resources that changed before `start` completed; undefined after that. */
  #pendingAtStart: Set<string> | undefined = new Set();

  constructor(
    api: VerbContext,
    services: ApiServices,
    { prefer, newQueue }: { prefer: Preference | undefined; newQueue: WorkQueueFactory },
  ) {
    this.#api = api;
    this.#services = services;
    this.#prefer = prefer;
    this.#queue = newQueue({ name: 'autoregister', reconcile: (name) => this.#reconcile(name), workers: 16 });
    api.registry.onCustom((resources) => {
      for (const name of localVersions(resources).keys()) this.#enqueue(name);
    });
    const enqueueManaged = ({ name, automanaged }: RegisteredService) => {
      if (automanaged === always) this.#enqueue(name);
    };
    services.listen({ onWritten: enqueueManaged, onRemoved: enqueueManaged });
  }

  /** Resolves once every served version has an APIService. Writes concurrently, to share group commits. */
  async start(): Promise<void> {
    const desired = this.#desired();
    const automanagedNames = this.#services.all
      .filter(({ automanaged }) => isAutomanaged(automanaged))
      .map(({ name }) => name);
    const names = new Set([...desired.keys(), ...automanagedNames]);
    await Promise.all([...names].map((name) => this.#ensure(name, desired.get(name))));
    const pending = this.#pendingAtStart ?? [];
    this.#pendingAtStart = undefined;
    for (const name of pending) this.#enqueue(name);
  }

  reset(): void {
    this.#queue.clear();
    for (const [name, { isCustom }] of localVersions(this.#api.registry.resources)) {
      if (isCustom) this.#enqueue(name);
    }
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  #enqueue(name: string): void {
    if (this.#pendingAtStart) this.#pendingAtStart.add(name);
    else this.#queue.add(name);
  }

  async #reconcile(name: string): Promise<void> {
    const dot = name.indexOf('.');
    const resources = this.#api.registry.ofVersion(`${name.slice(dot + 1)}/${name.slice(0, dot)}`);
    const desired = localVersions(resources).get(name);
    // The APIServices of built-in versions are written only at start.
    const isBuiltIn = desired?.isCustom === false;
    if (!isBuiltIn) await this.#ensure(name, desired);
  }

  /**
   * The versions that need an APIService: all but those of apiregistration itself, and resource metrics of simulated nodes, which
   * a client may replace by the APIService of a metrics server.
   */
  #desired(): ReadonlyMap<string, LocalVersion> {
    const { registry, dialect } = this.#api;
    const unregistered = [dialect.groupName('apiregistration'), dialect.groupName('metrics')];
    const desired = new Map(localVersions(registry.resources, this.#prefer));
    for (const [name, { group, isCustom }] of desired)
      if (!isCustom && unregistered.includes(group)) desired.delete(name);
    return desired;
  }

  /** Creates, updates or deletes the APIService of this name; `desired` is undefined if the version is not served. */
  async #ensure(name: string, desired: LocalVersion | undefined): Promise<void> {
    const existing = this.#services.find(name);
    try {
      if (!existing) {
        if (desired) await this.#create(desired);
        return;
      }
      // An APIService without the automanaged label belongs to a client, also if it refers to another server.
      if (!isAutomanaged(existing.automanaged)) return;
      if (!desired) await this.#delete(name);
      else if (!isUpToDate(existing, desired)) await this.#update(name, desired);
    } catch (error) {
      const isConcurrentWrite = error instanceof ApiError && (error.code === 404 || error.code === 409);
      if (!isConcurrentWrite) throw error; // Otherwise another replica has written it.
    }
  }

  async #create(desired: LocalVersion): Promise<void> {
    const { resource } = this.#services;
    const object = resource.definition.schema.zero() as APIService;
    object.metadata.name = apiServiceName(desired);
    object.metadata.labels = { [this.#api.dialect.labels.automanaged]: automanagedLabel(desired) };
    object.spec = specOf(desired);
    applyDefaults(resource, object, []);
    await create(this.#api, this.#target(''), { object }, defaultWriteOptions, []);
  }

  async #update(name: string, desired: LocalVersion): Promise<void> {
    const change = (object: ApiObject) => {
      const { metadata } = object;
      metadata.labels = {
        ...metadata.labels,
        [this.#api.dialect.labels.automanaged]: automanagedLabel(desired),
      };
      Object.assign(object, { spec: specOf(desired) });
    };
    await guaranteedUpdate(this.#api, this.#target(name), change, { managedThrough: '' });
  }

  async #delete(name: string): Promise<void> {
    await deleteObject(this.#api, this.#target(name), defaultDeleteOptions);
  }

  #target(name: string) {
    return { resource: this.#services.resource, namespace: '', name, subresource: '' };
  }
}

const isAutomanaged = (automanaged: string | undefined) => automanaged === onStart || automanaged === always;
const automanagedLabel = ({ isCustom }: LocalVersion) => (isCustom ? always : onStart);

const specOf = ({ group, version, priority }: LocalVersion): APIService['spec'] => ({
  ...(group !== '' && { group }),
  version,
  groupPriorityMinimum: priority.group,
  versionPriority: priority.version,
});

function isUpToDate({ automanaged, priority, remote }: RegisteredService, desired: LocalVersion): boolean {
  return (
    automanaged === automanagedLabel(desired) &&
    !remote &&
    priority.group === desired.priority.group &&
    priority.version === desired.priority.version
  );
}
