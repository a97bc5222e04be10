// API aggregation: a cache of the APIServices, in step with the store. It notifies listeners of changes.
import type { APIService } from '../apis/apiregistration/apiservice.ts';
import type { ServedResource } from '../kind/registry.ts';
import { tryDecodeLazily } from '../kind/storage/codec.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';
import type { ApiServicePriority } from './priorities.ts';
import { RemoteServer } from './remote-server.ts';

/** An APIService as the aggregation layer uses it. */
export interface RegisteredService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: ApiServicePriority;
  /** The value of its automanaged label: `onstart`, `true`, or undefined for an APIService that a client manages. */
  readonly automanaged: string | undefined;
  /** The aggregated API server; undefined if this server serves the version (a local APIService). */
  readonly remote: RemoteServer | undefined;
  readonly isAvailable: boolean;
}

export interface ServiceListener {
  /** Called when the APIService starts to refer to an aggregated API server, or to a different one. */
  onRemote?(service: RegisteredService): void;
  /** Called after every write of the APIService. */
  onWritten?(service: RegisteredService): void;
  /** Called after the APIService was deleted. */
  onRemoved?(service: RegisteredService): void;
}

export class ApiServices {
  readonly resource: ServedResource;
  readonly #automanagedLabel: string;
  readonly #reflector: Reflector;
  readonly #byName = new Map<string, RegisteredService>();
  readonly #listeners: ServiceListener[] = [];
  /** The names of the APIServices of aggregated API servers. */
  readonly remoteNames = new Set<string>();
  /** Undefined after a change. */
  #all: readonly RegisteredService[] | undefined;

  constructor({ registry, dialect, store }: Pick<StorageContext, 'registry' | 'dialect' | 'store'>) {
    this.resource = registry.kind(dialect.groupName('apiregistration'), 'v1', 'apiservices');
    this.#automanagedLabel = dialect.labels.automanaged;
    this.#reflector = new Reflector(store, this.resource.prefix, {
      add: (stored) => this.#set(stored),
      remove: (stored, isReplaced) => {
        if (!isReplaced) this.#remove(nameInKey(stored));
      },
      clear: () => {
        for (const name of [...this.#byName.keys()]) this.#remove(name);
      },
    });
  }

  start(): void {
    this.#reflector.sync();
  }

  reset(): void {
    this.#reflector.reset();
    this.#reflector.sync();
  }

  close(): void {
    this.#reflector.close();
    for (const { remote } of this.#byName.values()) remote?.close();
  }

  listen(listener: ServiceListener): void {
    this.#listeners.push(listener);
  }

  /** Whether any APIService refers to an aggregated API server. */
  get hasRemote(): boolean {
    return this.remoteNames.size > 0;
  }

  find(name: string): RegisteredService | undefined {
    return this.#byName.get(name);
  }

  /** All APIServices. The array is replaced, never changed, so that callers can compare it to detect changes. */
  get all(): readonly RegisteredService[] {
    this.#all ??= [...this.#byName.values()];
    return this.#all;
  }

  #set(stored: StoredObject): void {
    const name = nameInKey(stored);
    // Undefined if the stored APIService cannot be decoded: it is treated as deleted.
    const object = tryDecodeLazily(this.resource, stored) as APIService | undefined;
    if (!object) {
      this.#remove(name);
      return;
    }
    const { metadata, spec, status } = object;
    const previous = this.#byName.get(name);
    const remote = spec.service && RemoteServer.of(spec, previous?.remote);
    const service: RegisteredService = {
      name,
      group: spec.group ?? '',
      version: spec.version ?? '',
      priority: { group: spec.groupPriorityMinimum, version: spec.versionPriority },
      automanaged: metadata.labels?.[this.#automanagedLabel],
      remote,
      isAvailable:
        status?.conditions?.some(
          (condition) => condition.type === 'Available' && condition.status === 'True',
        ) ?? false,
    };
    this.#byName.set(name, service);
    this.#all = undefined;
    for (const listener of this.#listeners) listener.onWritten?.(service);
    if (remote === previous?.remote) return;
    previous?.remote?.close();
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

const nameInKey = ({ key }: StoredObject) => key.slice(key.lastIndexOf('/') + 1);
