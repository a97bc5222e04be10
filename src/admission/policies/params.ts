// ValidatingAdmissionPolicy: finds the parameter objects that a binding's paramRef selects.
import type { ParamKind, ParamRef } from '../../apis/admissionregistration/params.ts';
import { entryBytes, LruCache } from '../../base/lru-cache.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import { toJsonValue } from '../../schema/to-json-value.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Revision, StoredObject } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';
import { PendingInput } from '../expressions/request-authorizer.ts';

/**
 * The resource of a paramKind; undefined if no such kind is served, or its objects are not stored (reviews: `perform`).
 */
export function resourceOfParamKind(registry: Registry, kind: ParamKind): ServedResource | undefined {
  return registry.resources.find(
    (resource) =>
      resource.apiVersion === kind.apiVersion && resource.kind === kind.kind && !resource.definition.perform,
  );
}

/** Empty `params`: none exist, and parameterNotFoundAction is Allow. */
export type ParamsResult = { readonly params: readonly unknown[] } | { readonly problem: string };

/** A parameter object at a revision. */
interface DecodedParam {
  readonly revision: Revision;
  /** The size of the stored object. */
  readonly bytes: number;
  /** Undefined if the object is undecodable. */
  readonly object: unknown;
}

/** Bounds the decoded parameters of a binding, in bytes of stored JSON; decoded, they take a few times as much. */
const maxCachedBytes = 4 * 1024 * 1024;

/** The parameters that the paramRef of one binding refers to. */
export class BindingParams {
  readonly #api: StorageContext;
  readonly #resource: ServedResource;
  readonly #ref: ParamRef;
  readonly #selected: SelectedParams | undefined;
  /** Decoded parameters by key: every request reads them, and they rarely change. */
  readonly #decoded = new LruCache<DecodedParam>({
    maxWeight: maxCachedBytes,
    weightOf: ({ bytes }, key) => bytes + key.length + entryBytes,
  });

  constructor(api: StorageContext, resource: ServedResource, ref: ParamRef) {
    this.#api = api;
    this.#resource = resource;
    this.#ref = ref;
    this.#selected = ref.selector && new SelectedParams(api, resource, ref.selector);
  }

  close(): void {
    this.#selected?.close();
  }

  /**
   * The parameters for a request in a namespace ('' for a cluster-scoped object), ordered by name, or the configuration
   * error. Throws PendingInput while a conversion webhook converts one of them.
   */
  find(namespace: string): ParamsResult {
    const { namespaced } = this.#resource.definition;
    const { namespace: paramNamespace, name = '', parameterNotFoundAction } = this.#ref;
    if (paramNamespace && !namespaced) {
      return { problem: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
    }
    const namespaceOfParams = namespaced ? paramNamespace || namespace : '';
    if (namespaced && namespaceOfParams === '') {
      return {
        problem: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
      };
    }
    const storedParams = this.#selected
      ? this.#selected.in(namespaceOfParams)
      : [this.#api.store.get(this.#resource.key(namespaceOfParams, name))];
    const params = storedParams
      .map((stored) => stored && this.#decode(stored))
      .filter((each) => each !== undefined);
    if (params.length === 0 && parameterNotFoundAction === 'Deny') {
      return { problem: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
    }
    return { params };
  }

  #decode(stored: StoredObject): unknown {
    const cached = this.#decoded.get(stored.key);
    if (cached?.revision === stored.revision) return cached.object;
    const converted = convertToVersion(this.#resource, stored);
    if (converted instanceof Promise) {
      throw new PendingInput(converted.then((each) => void this.#cacheDecoded(stored, each)));
    }
    return this.#cacheDecoded(stored, converted);
  }

  #cacheDecoded({ key, revision, json }: StoredObject, converted: StoredObject): unknown {
    const decoded = tryDecodeStored(this.#resource, converted);
    const object = decoded && toJsonValue(this.#resource.definition.schema, decoded);
    this.#decoded.set(key, { revision, bytes: json.length, object });
    return object;
  }
}

/** The objects that paramRef.selector selects, cached by a reflector. */
class SelectedParams {
  readonly #reflector: Reflector;
  readonly #objects = new Map<string, StoredObject>();
  readonly #resource: ServedResource;

  constructor({ store }: StorageContext, resource: ServedResource, selector: LabelSelector) {
    this.#resource = resource;
    this.#reflector = new Reflector(store, resource.prefix, {
      add: (object) => {
        if (labelSelectorMatches(selector, Object.fromEntries(decodePairs(object.labels)))) {
          this.#objects.set(object.key, object);
        }
      },
      remove: ({ key }) => this.#objects.delete(key),
      clear: () => this.#objects.clear(),
    });
  }

  in(namespace: string): StoredObject[] {
    this.#reflector.sync();
    const range = this.#resource.range(namespace);
    return [...this.#objects.values()]
      .filter(({ key }) => key.startsWith(range))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  close(): void {
    this.#reflector.reset();
  }
}
