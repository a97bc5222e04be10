// Admission webhooks: the cache of webhook configurations, and which webhooks match a request.
import type { Webhook } from '../../apis/admissionregistration/webhook-validation.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { SortMatcher } from '../matching/matcher.ts';
import { Hook } from './hook.ts';

/** A webhook that may match requests for a target. */
export interface Concerned {
  readonly hook: Hook;
  readonly matcher: SortMatcher;
}

/**
 * All mutating or all validating webhooks, in step with the store: a configuration takes effect before its writer gets the
 * response. Webhooks are ordered by the name of their configuration, then by their position in it.
 */
export class Configurations {
  readonly #api: Api;
  readonly #follower: Reflector;
  readonly #byName = new Map<string, readonly Hook[]>();
  #bySort = new Map<ServedResource, Map<string, readonly Concerned[]>>();
  #inOrder: readonly Hook[] | undefined;

  constructor(api: Api, plural: string) {
    this.#api = api;
    this.#follower = new Reflector(api.store, plural, {
      add: (stored) => this.#put(nameIn(stored), webhooksIn(stored)),
      remove: (stored) => this.#put(nameIn(stored), []),
      clear: () => {
        for (const name of [...this.#byName.keys()]) this.#put(name, []);
      },
    });
  }

  /** The webhooks that may match requests for a target. Webhook configurations and policies are exempt. */
  concerned(sort: AdmissionTarget): readonly Concerned[] {
    this.#follower.sync();
    const { resource, subresource, operation } = sort;
    if (this.#byName.size === 0 || resource.definition.group === 'admissionregistration') return [];
    let ofResource = this.#bySort.get(resource);
    if (!ofResource) {
      ofResource = new Map();
      this.#bySort.set(resource, ofResource);
    }
    const key = `${operation} ${subresource}`;
    let found = ofResource.get(key);
    if (!found) {
      found = this.#all().flatMap((hook) => {
        const matcher = hook.matcher.for(this.#api.registry, sort);
        return matcher ? [{ hook, matcher }] : [];
      });
      ofResource.set(key, found);
    }
    return found;
  }

  reset(): void {
    this.#follower.reset();
  }

  close(): void {
    for (const hook of this.#all()) hook.connections?.close();
  }

  #all(): readonly Hook[] {
    if (!this.#inOrder) {
      const names = [...this.#byName.keys()].sort();
      this.#inOrder = names.flatMap((name) => this.#byName.get(name)!);
      for (const [index, hook] of this.#inOrder.entries()) hook.index = index;
    }
    return this.#inOrder;
  }

  #put(name: string, webhooks: readonly Webhook[]): void {
    for (const hook of this.#byName.get(name) ?? []) hook.connections?.retire();
    if (webhooks.length === 0) this.#byName.delete(name);
    else
      this.#byName.set(
        name,
        webhooks.map((webhook) => new Hook(name, webhook)),
      );
    this.#inOrder = undefined;
    this.#bySort = new Map();
    this.#api.admission.reconsider();
  }
}

const nameIn = ({ key }: StoredObject) => key.slice(key.lastIndexOf('/') + 1);

/** No webhooks for an undecodable configuration. */
function webhooksIn({ json }: StoredObject): readonly Webhook[] {
  try {
    return (JSON.parse(json.toString()) as { webhooks?: Webhook[] }).webhooks ?? [];
  } catch {
    return [];
  }
}
