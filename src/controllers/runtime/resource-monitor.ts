// Resource monitor: follows the objects of all resources, as the monitors of upstream's garbage collector and resource
// quota controller do.
import type { ServedResource } from '../../kind/registry.ts';
import type { Store } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';
import { walk } from '../../store/walk.ts';

/** The stored bytes of an object, and the position of its resourceVersion: metadata is read without decoding the rest. */
export interface MonitoredObject {
  /** The storage key. */
  readonly key: string;
  readonly json: Buffer;
  readonly revisionOffset: number;
  readonly revisionLength: number;
  /** The selectable fields, encoded: see `selectableField`. */
  readonly selectableFields: string;
}

export interface ResourceChange {
  readonly type: 'created' | 'updated' | 'deleted';
  /** The storage prefix of the resource. */
  readonly prefix: string;
  readonly key: string;
  /** The new state; after a deletion the last state. */
  readonly object: MonitoredObject;
  /** Absent for a creation. */
  readonly previous?: MonitoredObject;
}

/** Every change of every resource passes through it, so objects stay bytes, and nothing is allocated per change. */
export class ResourceMonitor {
  readonly #store: Store;

  constructor({ store }: { readonly store: Store }) {
    this.#store = store;
  }

  /** Whether other servers write to the same storage. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Calls the handler before the write of a change is acknowledged. Returns the unsubscribe function. */
  subscribe(onChange: (change: ResourceChange) => void): () => void {
    return this.#store.subscribe((changes) => {
      for (const change of changes) this.#guarded(onChange, change);
    });
  }

  /** By storage key. */
  get(key: string): MonitoredObject | undefined {
    return this.#store.get(key);
  }

  /** Visits all objects of a resource, and yields to the event loop between batches. Ends early once `shouldStop()`. */
  walk(
    { prefix }: ServedResource,
    visit: (object: MonitoredObject) => void,
    shouldStop?: () => boolean,
  ): Promise<void> {
    return walk(this.#store, `${prefix}/`, (object) => this.#guarded(visit, object), shouldStop);
  }

  /** An error of a handler keeps neither the other objects from it, nor the walk from its end. */
  #guarded<T extends { readonly key: string }>(handler: (input: T) => void, input: T): void {
    try {
      handler(input);
    } catch (error) {
      this.#store.listenerFailures.report(error, input.key);
    }
  }
}

/** The value of a selectable field such as `status.phase`. */
export const selectableField = ({ selectableFields }: MonitoredObject, path: string) =>
  decodePairs(selectableFields).get(path);
