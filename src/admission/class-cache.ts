// Admission: a cache of class objects (StorageClass, IngressClass, PriorityClass, RuntimeClass), with the default class.
import type { ApiObject } from '../kind/api-object.ts';
import { tryDecodeLazily } from '../kind/storage/codec.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';

/** Chooses the class of objects that name none. */
export interface DefaultClassRule<Class extends ApiObject> {
  isDefault(candidate: Class): boolean;
  /** Orders several default classes; the first one counts. */
  compare(a: Class, b: Class): number;
}

/**
 * A cache of a cluster-scoped kind that other objects name. It decodes an object on first use; undecodable objects are
 * absent.
 */
export class ClassCache<Class extends ApiObject> {
  readonly #api: Pick<StorageContext, 'store' | 'registry' | 'dialect'>;
  readonly #group: string;
  readonly #plural: string;
  readonly #defaultRule: DefaultClassRule<Class> | undefined;
  readonly #reflector: Reflector;
  readonly #stored = new Map<string, StoredObject>();
  readonly #decoded = new Map<string, Class>();
  /** Undefined after a change, until the next read. */
  #default: { readonly class: Class | undefined } | undefined;

  constructor(
    api: Pick<StorageContext, 'store' | 'registry' | 'dialect'>,
    { group, plural }: { readonly group: string; readonly plural: string },
    defaultRule?: DefaultClassRule<Class>,
  ) {
    this.#api = api;
    this.#group = group;
    this.#plural = plural;
    this.#defaultRule = defaultRule;
    this.#reflector = new Reflector(api.store, plural, {
      add: (object) => this.#set(object.key, object),
      remove: ({ key }) => this.#set(key, undefined),
      clear: () => {
        this.#stored.clear();
        this.#decoded.clear();
        this.#default = undefined;
      },
    });
  }

  /** The current class of this name; undefined if there is none. Read-only. */
  get(name: string): Class | undefined {
    this.#reflector.sync();
    return this.#decode(name);
  }

  /** The default class; undefined if there is none. */
  get default(): Class | undefined {
    this.#reflector.sync();
    this.#default ??= { class: this.#findDefault() };
    return this.#default.class;
  }

  reset(): void {
    this.#reflector.reset();
  }

  /** `object`: undefined after its deletion. */
  #set(key: string, object: StoredObject | undefined): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    this.#default = undefined;
    this.#decoded.delete(name);
    if (object) this.#stored.set(name, object);
    else this.#stored.delete(name);
  }

  #findDefault(): Class | undefined {
    const defaultRule = this.#defaultRule;
    if (!defaultRule) return undefined;
    return [...this.#stored.keys()]
      .map((name) => this.#decode(name))
      .filter((candidate) => candidate !== undefined)
      .filter((candidate) => defaultRule.isDefault(candidate))
      .sort((a, b) => defaultRule.compare(a, b))[0];
  }

  #decode(name: string): Class | undefined {
    const cached = this.#decoded.get(name);
    const stored = this.#stored.get(name);
    if (cached || !stored) return cached;
    const { registry, dialect } = this.#api;
    const resource = registry.find(dialect.groupName(this.#group), 'v1', this.#plural);
    const decoded = resource && tryDecodeLazily(resource, stored);
    if (decoded) this.#decoded.set(name, decoded as Class);
    return decoded as Class | undefined;
  }
}

/** Orders by creationTimestamp, newest first, then by name. */
export function newestFirst({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [time, otherTime] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
