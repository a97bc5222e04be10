// ValidatingAdmissionPolicy: finds the parameter objects that a binding's paramRef selects.
import type { ParamKind, ParamRef } from '../../apis/admissionregistration/params.ts';
import { LruCache } from '../../base/lru-cache.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Api } from '../../registry/api.ts';
import { shown } from '../../schema/shown.ts';
import { decodePairs } from '../../store/pairs.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Revision, StoredObject } from '../../store/store.ts';
import { PendingDecision } from '../expressions/rights.ts';

/** The resource whose objects are the parameters; undefined where there is no such kind. */
export function resourceOfParams({ registry }: Api, kind: ParamKind): ServedResource | undefined {
  return registry.resources.find(
    (resource) =>
      resource.apiVersion === kind.apiVersion && resource.kind === kind.kind && !resource.definition.perform,
  );
}

export type Found = { readonly params: readonly unknown[] } | { readonly problem: string };

/** A parameter object at a revision; undefined where it is undecodable. */
interface ReadParam {
  readonly revision: Revision;
  readonly object: unknown;
}

const remembered = 1024;

/** The parameters that one binding refers to. */
export class Params {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #ref: ParamRef;
  readonly #selected: Selected | undefined;
  /** Decoded parameters by key: every request reads them, and they rarely change. */
  readonly #read = new LruCache<ReadParam>(remembered);

  constructor(api: Api, resource: ServedResource, ref: ParamRef) {
    this.#api = api;
    this.#resource = resource;
    this.#ref = ref;
    this.#selected = ref.selector && new Selected(api, resource, ref.selector);
  }

  close(): void {
    this.#selected?.close();
  }

  /** The parameters for a request in a namespace, ordered by name, or the reason why there are none. */
  find(namespace: string): Found {
    const { namespaced } = this.#resource.definition;
    const { namespace: fixed, name = '', parameterNotFoundAction } = this.#ref;
    if (fixed && !namespaced) {
      return { problem: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
    }
    const within = namespaced ? fixed || namespace : '';
    if (namespaced && within === '') {
      return {
        problem: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
      };
    }
    const found = this.#selected
      ? this.#selected.in(within)
      : [this.#api.store.get(this.#resource.key(within, name))];
    const params = found.map((stored) => stored && this.#decode(stored)).filter((one) => one !== undefined);
    if (params.length === 0 && parameterNotFoundAction === 'Deny') {
      return { problem: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
    }
    return { params };
  }

  #decode(stored: StoredObject): unknown {
    const read = this.#read.get(stored.key);
    if (read?.revision === stored.revision) return read.object;
    const converted = inVersion(this.#resource, stored);
    if (converted instanceof Promise) {
      throw new PendingDecision(converted.then((one) => void this.#keep(stored, one)));
    }
    return this.#keep(stored, converted);
  }

  #keep({ key, revision }: StoredObject, converted: StoredObject): unknown {
    const decoded = tryDecodeStored(this.#resource, converted);
    const object = decoded && shown(this.#resource.definition.schema, decoded);
    this.#read.set(key, { revision, object });
    return object;
  }
}

/** The objects that a selector selects, in step with the log. */
class Selected {
  readonly #follower: Reflector;
  readonly #objects = new Map<string, StoredObject>();
  readonly #resource: ServedResource;

  constructor({ store }: Api, resource: ServedResource, selector: LabelSelector) {
    this.#resource = resource;
    this.#follower = new Reflector(store, resource.prefix, {
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
    this.#follower.sync();
    const range = this.#resource.range(namespace);
    return [...this.#objects.values()]
      .filter(({ key }) => key.startsWith(range))
      .sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  close(): void {
    this.#follower.reset();
  }
}
