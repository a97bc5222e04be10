// Admission: a cache of class objects (StorageClass, IngressClass, PriorityClass, RuntimeClass), with the default class.
import type { ApiObject } from '../kind/api-object.ts';
import { tryGlanceAt } from '../kind/storage/codec.ts';
import type { Api } from '../registry/api.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';

/** Of several objects of a kind, which one counts where none is named. */
export interface Choice<Class extends ApiObject> {
  isDefault(candidate: Class): boolean;
  /** Orders several default classes; the first one counts. */
  compare(one: Class, other: Class): number;
}

/**
 * A cache of a cluster-scoped kind that other objects name. It decodes an object on first use; undecodable objects are
 * absent.
 */
export class Classes<Class extends ApiObject> {
  readonly #api: Pick<Api, 'store' | 'registry' | 'dialect'>;
  readonly #group: string;
  readonly #plural: string;
  readonly #choice: Choice<Class> | undefined;
  readonly #follower: Reflector;
  readonly #stored = new Map<string, StoredObject>();
  readonly #read = new Map<string, Class>();
  /** Undefined after a change, until the next read. */
  #default: { readonly class: Class | undefined } | undefined;

  constructor(
    api: Pick<Api, 'store' | 'registry' | 'dialect'>,
    { group, plural }: { readonly group: string; readonly plural: string },
    choice?: Choice<Class>,
  ) {
    this.#api = api;
    this.#group = group;
    this.#plural = plural;
    this.#choice = choice;
    this.#follower = new Reflector(api.store, plural, {
      add: (object) => this.#set(object, object),
      remove: (object) => this.#set(object, undefined),
      clear: () => {
        this.#stored.clear();
        this.#read.clear();
        this.#default = undefined;
      },
    });
  }

  /** As it is now; undefined where there is none of this name. Only to be looked at. */
  get(name: string): Class | undefined {
    this.#follower.sync();
    return this.#readOne(name);
  }

  /** The one that counts where none is named. */
  get default(): Class | undefined {
    this.#follower.sync();
    this.#default ??= { class: this.#findDefault() };
    return this.#default.class;
  }

  reset(): void {
    this.#follower.reset();
  }

  #set({ key }: StoredObject, object: StoredObject | undefined): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    this.#default = undefined;
    this.#read.delete(name);
    if (object) this.#stored.set(name, object);
    else this.#stored.delete(name);
  }

  #findDefault(): Class | undefined {
    const choice = this.#choice;
    if (!choice) return undefined;
    return [...this.#stored.keys()]
      .map((name) => this.#readOne(name))
      .filter((candidate) => candidate !== undefined)
      .filter((candidate) => choice.isDefault(candidate))
      .sort((one, other) => choice.compare(one, other))[0];
  }

  #readOne(name: string): Class | undefined {
    const known = this.#read.get(name);
    const stored = this.#stored.get(name);
    if (known || !stored) return known;
    const { registry, dialect } = this.#api;
    const resource = registry.find(dialect.groupName(this.#group), 'v1', this.#plural);
    const read = resource && tryGlanceAt(resource, stored);
    if (read) this.#read.set(name, read as Class);
    return read as Class | undefined;
  }
}

/** The newest first; of those of one second, by name. */
export function newestFirst({ metadata: one }: ApiObject, { metadata: other }: ApiObject): number {
  const [time, otherTime] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
