// API aggregation: the autoregister controller; maintains the APIServices of this server's own group versions.
import type { APIService } from '../apis/apiregistration/apiservice.ts';
import type { WorkQueue, WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { plainDelete } from '../kind/delete-options.ts';
import type { Api } from '../registry/api.ts';
import { plainWrite } from '../registry/options/write-options.ts';
import { create } from '../registry/verbs/create.ts';
import { deleteObject } from '../registry/verbs/delete.ts';
import { guaranteedUpdate } from '../registry/verbs/guaranteed-update.ts';
import { applyDefaults } from '../registry/write/decode.ts';
import type { ApiServices, KnownService } from './api-services.ts';
import { apiServiceName, type LocalVersion, localVersions, type Preference } from './priorities.ts';

/** Values of the automanaged label. */
const onStart = 'onstart';
const always = 'true';

/**
 * APIServices of built-in versions are created at start, and left to clients afterwards; those of custom resources
 * follow their definitions.
 */
export class LocalServices {
  readonly #api: Api;
  readonly #services: ApiServices;
  readonly #prefer: Preference | undefined;
  readonly #queue: WorkQueue;
  /** Names of custom versions that changed before start completed. */
  #pendingAtStart: Set<string> | undefined = new Set();

  constructor(
    api: Api,
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
    const keep = ({ name, automanaged }: KnownService) => {
      if (automanaged === always) this.#enqueue(name);
    };
    services.listen({ onWritten: keep, onRemoved: keep });
  }

  /** Resolves once every served version has an APIService. Written concurrently, to share group commits. */
  async start(): Promise<void> {
    const wanted = this.#wanted();
    const standing = this.#services.all
      .filter(({ automanaged }) => isOurs(automanaged))
      .map(({ name }) => name);
    const names = new Set([...wanted.keys(), ...standing]);
    await Promise.all([...names].map((name) => this.#ensure(name, wanted.get(name))));
    const early = this.#pendingAtStart ?? [];
    this.#pendingAtStart = undefined;
    for (const name of early) this.#enqueue(name);
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
    const inVersion = this.#api.registry.ofVersion(`${name.slice(dot + 1)}/${name.slice(0, dot)}`);
    const wanted = localVersions(inVersion).get(name);
    if (wanted?.isCustom !== false) await this.#ensure(name, wanted);
  }

  #wanted(): ReadonlyMap<string, LocalVersion> {
    const { registry, dialect } = this.#api;
    const itself = dialect.groupName('apiregistration');
    const wanted = new Map(localVersions(registry.resources, this.#prefer));
    for (const [name, { group }] of wanted) if (group === itself) wanted.delete(name);
    return wanted;
  }

  async #ensure(name: string, wanted: LocalVersion | undefined): Promise<void> {
    const found = this.#services.find(name);
    try {
      if (!wanted) {
        if (found && isOurs(found.automanaged)) await this.#delete(name);
      } else if (!found) await this.#create(wanted);
      // An APIService without our label is left as it is, also if it refers to another server.
      else if (isOurs(found.automanaged) && !isUpToDate(found, wanted)) await this.#update(name, wanted);
    } catch (error) {
      // Another replica wrote it concurrently.
      if (!(error instanceof ApiError && [404, 409].includes(error.code))) throw error;
    }
  }

  async #create(wanted: LocalVersion): Promise<void> {
    const { resource } = this.#services;
    const object = resource.definition.schema.zero() as APIService;
    object.metadata.name = apiServiceName(wanted);
    object.metadata.labels = { [this.#api.dialect.labels.automanaged]: automanagedLabel(wanted) };
    object.spec = specOf(wanted);
    applyDefaults(resource, object, []);
    await create(this.#api, this.#target(''), { object }, plainWrite, []);
  }

  async #update(name: string, wanted: LocalVersion): Promise<void> {
    const change = (object: ApiObject) => {
      const { metadata } = object;
      metadata.labels = {
        ...metadata.labels,
        [this.#api.dialect.labels.automanaged]: automanagedLabel(wanted),
      };
      Object.assign(object, { spec: specOf(wanted) });
    };
    await guaranteedUpdate(this.#api, this.#target(name), change, { managedThrough: '' });
  }

  async #delete(name: string): Promise<void> {
    await deleteObject(this.#api, this.#target(name), plainDelete);
  }

  #target(name: string) {
    return { resource: this.#services.resource, namespace: '', name, subresource: '' };
  }
}

const isOurs = (automanaged: string | undefined) => automanaged === onStart || automanaged === always;
const automanagedLabel = ({ isCustom }: LocalVersion) => (isCustom ? always : onStart);

const specOf = ({ group, version, priority }: LocalVersion): APIService['spec'] => ({
  ...(group !== '' && { group }),
  version,
  groupPriorityMinimum: priority.group,
  versionPriority: priority.version,
});

function isUpToDate({ automanaged, priority, remote }: KnownService, wanted: LocalVersion): boolean {
  return (
    automanaged === automanagedLabel(wanted) &&
    !remote &&
    priority.group === wanted.priority.group &&
    priority.version === wanted.priority.version
  );
}
