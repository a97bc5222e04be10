// Reads objects of built-in kinds for the hooks of a kind: guards (permission checks of a write) and actions
// (subresources such as eviction).

import type { ApiObject } from '../kind/api-object.ts';
import type { HookTarget, ObjectKey, ObjectReader } from '../kind/hooks.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import type { Target } from './target.ts';
import type { StorageContext } from './verb-context.ts';

export class RegistryReader implements ObjectReader {
  readonly #api: Pick<StorageContext, 'registry' | 'store'>;

  constructor(api: Pick<StorageContext, 'registry' | 'store'>) {
    this.#api = api;
  }

  get({ group, version, plural, namespace, name }: ObjectKey): ApiObject | undefined {
    const { registry, store } = this.#api;
    const resource = registry.kind(group, version, plural);
    const stored = store.get(resource.key(namespace, name));
    return stored && decodeStored(resource.stored, stored);
  }

  list({ group, version, plural, namespace }: Omit<ObjectKey, 'name'>): ApiObject[] {
    const { registry, store } = this.#api;
    const resource = registry.kind(group, version, plural);
    const snapshot = store.pin();
    try {
      const storedObjects = [...snapshot.range(resource.range(namespace))];
      return storedObjects.map((stored) => decodeStored(resource.stored, stored));
    } finally {
      snapshot.release();
    }
  }
}

/** The target of a request, as guards and actions see it. */
export function hookTarget({ resource, namespace, name }: Target): HookTarget {
  const { group, version, subject, definition } = resource;
  const { plural, schema } = definition;
  return { group, version, plural, namespace, name, subject, schema };
}
