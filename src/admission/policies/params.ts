import type { ParamKind, ParamRef } from '../../api/admissionregistration/params.ts';
import type { LabelSelector } from '../../api/meta/label-selector.ts';
import { selects } from '../../api/meta/label-selector-match.ts';
import type { Api } from '../../resource/api.ts';
import { tryDecodeStored } from '../../resource/codec.ts';
import { inVersion } from '../../resource/converted.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { shown } from '../../schema/shown.ts';
import { Follower } from '../../store/follower.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { StoredObject } from '../../store/store.ts';
import { AnswerIsLate } from '../expressions/rights.ts';

/** The resource whose objects are the parameters; undefined where there is no such kind. */
export function resourceOfParams({ registry }: Api, kind: ParamKind): ServedResource | undefined {
  return registry.resources.find(
    (resource) =>
      resource.apiVersion === kind.apiVersion && resource.kind === kind.kind && !resource.definition.perform,
  );
}

export type Found = { readonly params: readonly unknown[] } | { readonly problem: string };

/** The parameters that one binding refers to. */
export class Params {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #ref: ParamRef;
  readonly #selected: Selected | undefined;
  /** They are asked for with every write, and hardly ever change. */
  readonly #read = new WeakMap<StoredObject, unknown>();

  constructor(api: Api, resource: ServedResource, ref: ParamRef) {
    this.#api = api;
    this.#resource = resource;
    this.#ref = ref;
    this.#selected = ref.selector && new Selected(api, resource, ref.selector);
  }

  close(): void {
    this.#selected?.close();
  }

  /** Those for a write in a namespace, by their names, or why there are none. */
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
    let object = this.#read.get(stored);
    if (object === undefined) {
      const converted = inVersion(this.#resource, stored);
      if (converted instanceof Promise) {
        throw new AnswerIsLate(converted.then((one) => void this.#keep(stored, one)));
      }
      object = this.#keep(stored, converted);
    }
    return object;
  }

  #keep(stored: StoredObject, converted: StoredObject): unknown {
    const decoded = tryDecodeStored(this.#resource, converted);
    if (!decoded) return undefined;
    const object = shown(this.#resource.definition.schema, decoded);
    this.#read.set(stored, object);
    return object;
  }
}

/** The objects that a selector selects, in step with the log. */
class Selected {
  readonly #follower: Follower;
  readonly #objects = new Map<string, StoredObject>();
  readonly #resource: ServedResource;

  constructor({ store }: Api, resource: ServedResource, selector: LabelSelector) {
    this.#resource = resource;
    this.#follower = new Follower(store, resource.prefix, {
      add: (object) => {
        if (selects(selector, Object.fromEntries(decodePairs(object.labels)))) {
          this.#objects.set(object.key, object);
        }
      },
      remove: ({ key }) => this.#objects.delete(key),
      clear: () => this.#objects.clear(),
    });
  }

  in(namespace: string): StoredObject[] {
    this.#follower.catchUp();
    const range = this.#resource.range(namespace);
    return [...this.#objects.values()]
      .filter(({ key }) => key.startsWith(range))
      .sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  close(): void {
    this.#follower.reset();
  }
}
