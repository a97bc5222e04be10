// Decides whether a worker thread can prepare a write, and collects the objects that it needs.
import type { ServedResource } from '../kind/registry.ts';
import type { Api } from '../registry/api.ts';
import { keyOf } from '../registry/target.ts';
import type { EncodedInput, WriteRequest } from '../registry/write/context.ts';
import type { StoredObject } from '../store/store.ts';
import { sourceOf, type WriteSnapshot } from './messages.ts';

/** All that a write takes to be worked out elsewhere. */
export interface OffloadInput extends WriteSnapshot {
  /** The object that it changes; undefined for a new one. */
  readonly current: StoredObject | undefined;
  /** Of a new object: its namespace, which is still to be as it was when the object is put there. */
  readonly namespace: StoredObject | undefined;
  /** Bytes, sent and stored together. */
  readonly size: number;
}

/**
 * Whether all that a write depends on are objects: the one it changes, or the namespace of a new one, and the definition
 * of a kind that was learnt. A kind that takes more than that from the server has its writes carried out there.
 */
export function isOffloadable({ target, input, observer }: WriteRequest<EncodedInput>): boolean {
  const { resource, subresource } = target;
  const { definition } = resource;
  if (definition.strategy.reserve || definition.converter || resource.updateStrategy(subresource).guard)
    return false;
  if ('body' in input && input.body.format === undefined) return false;
  if (observer?.needsWholeObject) return false;
  if (subresource === '') return true;
  return input.verb !== 'create' && resource.subresource(subresource)?.rules !== undefined;
}

/** What such a write takes to be worked out elsewhere; undefined where somebody may change what is written. */
export function offloadInputOf(
  api: Api,
  { target, input }: WriteRequest<EncodedInput>,
): OffloadInput | undefined {
  const { resource, subresource } = target;
  const key = keyOf(target);
  const isNew = input.verb === 'create';
  const current = isNew ? undefined : api.store.get(key);
  const operation = current ? 'UPDATE' : 'CREATE';
  if (api.admission.mayMutate({ resource, subresource, operation })) return undefined;
  const namespace = target.namespace === '' ? undefined : api.store.get(`namespaces/${target.namespace}`);
  if (resource.definition.namespaced && !namespace) return undefined;
  const definition = definitionOf(api, resource);
  if (definition === null) return undefined;
  const known = current ?? namespace;
  return {
    current,
    namespace: current ? undefined : namespace,
    definition,
    known: known ? [known] : [],
    absent: current ? undefined : isNew ? `${resource.prefix}/` : key,
    size: sourceOf(input).length + (known?.json.length ?? 0),
  };
}

/** The definition of a kind that was learnt; undefined for others, null where it is not there any more. */
function definitionOf(api: Api, { definition, group }: ServedResource): StoredObject | undefined | null {
  if (!definition.isCustom) return undefined;
  const { dialect, registry, store } = api;
  const definitions = registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions');
  return store.get(definitions.key('', `${definition.plural}.${group}`)) ?? null;
}
