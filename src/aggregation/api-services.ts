// API aggregation: an informer over APIServices.
import type { APIService } from '../apis/apiregistration/apiservice.ts';
import type { ServedResource } from '../kind/registry.ts';
import { tryGlanceAt } from '../kind/storage/codec.ts';
import type { Api } from '../registry/api.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';
import type { ApiServicePriority } from './priorities.ts';
import { RemoteServer } from './remote-server.ts';

export interface KnownService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: ApiServicePriority;
  /** The value of its automanaged label: `onstart`, `true`, or undefined. */
  readonly automanaged: string | undefined;
  /** The server behind it; undefined for this server. */
  readonly remote: RemoteServer | undefined;
  readonly isAvailable: boolean;
}

export interface ServiceListener {
  /** The APIService refers to a server for the first time, or to another one. */
  onRemote?(service: KnownService): void;
  /** Called after every write, also without changes. */
  onWritten?(service: KnownService): void;
  onRemoved?(service: KnownService): void;
}

export class ApiServices {
  readonly resource: ServedResource;
  readonly #label: string;
  readonly #follower: Reflector;
  readonly #byName = new Map<string, KnownService>();
  readonly #listeners: ServiceListener[] = [];
  /** The APIServices that other servers serve. */
  readonly remoteNames = new Set<string>();
  #all: readonly KnownService[] | undefined;

  constructor({ registry, dialect, store }: Pick<Api, 'registry' | 'dialect' | 'store'>) {
    this.resource = registry.kind(dialect.groupName('apiregistration'), 'v1', 'apiservices');
    this.#label = dialect.labels.automanaged;
    this.#follower = new Reflector(store, this.resource.prefix, {
      add: (stored) => this.#put(stored),
      remove: (stored, isReplaced) => {
        if (!isReplaced) this.#remove(nameIn(stored));
      },
      clear: () => {
        for (const name of [...this.#byName.keys()]) this.#remove(name);
      },
    });
  }

  start(): void {
    this.#follower.sync();
  }

  reset(): void {
    this.#follower.reset();
    this.#follower.sync();
  }

  close(): void {
    this.#follower.close();
    for (const { remote } of this.#byName.values()) remote?.close();
  }

  listen(listener: ServiceListener): void {
    this.#listeners.push(listener);
  }

  /** Whether any APIService refers to another server. */
  get hasRemote(): boolean {
    return this.remoteNames.size > 0;
  }

  find(name: string): KnownService | undefined {
    return this.#byName.get(name);
  }

  /** A new array after every change. */
  get all(): readonly KnownService[] {
    this.#all ??= [...this.#byName.values()];
    return this.#all;
  }

  #put(stored: StoredObject): void {
    const name = nameIn(stored);
    const object = tryGlanceAt(this.resource, stored) as APIService | undefined;
    if (!object) {
      this.#remove(name);
      return;
    }
    const { metadata, spec, status } = object;
    const before = this.#byName.get(name);
    const remote = spec.service && RemoteServer.of(spec, before?.remote);
    const service: KnownService = {
      name,
      group: spec.group ?? '',
      version: spec.version ?? '',
      priority: { group: spec.groupPriorityMinimum, version: spec.versionPriority },
      automanaged: metadata.labels?.[this.#label],
      remote,
      isAvailable:
        status?.conditions?.some((one) => one.type === 'Available' && one.status === 'True') ?? false,
    };
    this.#byName.set(name, service);
    this.#all = undefined;
    for (const listener of this.#listeners) listener.onWritten?.(service);
    if (remote === before?.remote) return;
    before?.remote?.close();
    if (remote) this.remoteNames.add(name);
    else this.remoteNames.delete(name);
    if (remote) for (const listener of this.#listeners) listener.onRemote?.(service);
  }

  #remove(name: string): void {
    const service = this.#byName.get(name);
    if (!service) return;
    this.#byName.delete(name);
    this.#all = undefined;
    this.remoteNames.delete(name);
    service.remote?.close();
    for (const listener of this.#listeners) listener.onRemoved?.(service);
  }
}

const nameIn = ({ key }: StoredObject) => key.slice(key.lastIndexOf('/') + 1);
