// Decides whether a worker thread can prepare a write instead of the serving thread (the main thread), and collects the stored
// objects that it needs.
import type { ServedResource } from '../kind/registry.ts';
import { keyOf } from '../registry/target.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
import type { EncodedInput, WriteRequest } from '../registry/write/context.ts';
import type { StoredObject } from '../store/store.ts';
import { sourceOf, type WriteSnapshot } from './messages.ts';

/** The snapshot for a worker thread, and the objects in it that must be unchanged at the commit. */
export interface OffloadInput extends WriteSnapshot {
  /** The object to change; undefined for a create. */
  readonly current: StoredObject | undefined;
  /** The namespace of a new object. It must be unchanged at the commit. */
  readonly namespace: StoredObject | undefined;
  /** Bytes of the request body and of the stored object. */
  readonly size: number;
}

/**
 * Whether a worker can prepare a write. Without questions (`mayAsk`), the write must depend only on stored objects: the one it
 * changes, or the namespace of a new one, and the definition of a custom resource.
 */
export function isOffloadable(
  { target, input, observer }: WriteRequest<EncodedInput>,
  mayAsk: boolean,
): boolean {
  const { resource, subresource } = target;
  const { definition } = resource;
  // A conversion webhook is called by the serving thread.
  if (definition.converter) return false;
  // Reservations (addresses, ports) and guards (permissions) need state that only the serving thread has.
  if (!mayAsk && (definition.strategy.reserve || resource.updateStrategy(subresource).guard)) return false;
  // A body that the server built itself is an object in memory, not bytes.
  if ('body' in input && input.body.format === undefined) return false;
  if (observer?.needsWholeObject) return false;
  if (subresource === '') return true;
  if (input.verb === 'create') return false;
  const { rules, view } = resource.subresource(subresource) ?? {};
  return rules !== undefined || (mayAsk && view !== undefined);
}

/** Whether the object may have validation rules, and a worker can start again after they turned out to be expensive. */
export function hasMovableRules(api: AdmissionContext, request: WriteRequest<EncodedInput>): boolean {
  const { resource, subresource } = request.target;
  if (!resource.definition.isCustom || !isOffloadable(request, true)) return false;
  // A mutating webhook must not be called twice.
  return !(['CREATE', 'UPDATE'] as const).some((operation) =>
    api.admission.mayMutate({ resource, subresource, operation }, 'afterWorker'),
  );
}

/** Returns undefined if admission may change the object, or if an object it needs does not exist. */
export function findOffloadInput(
  api: AdmissionContext,
  { target, input }: WriteRequest<EncodedInput>,
  mayAsk: boolean,
): OffloadInput | undefined {
  const { resource, subresource } = target;
  const key = keyOf(target);
  const isNew = input.verb === 'create';
  const current = isNew ? undefined : api.store.get(key);
  const operation = current ? 'UPDATE' : 'CREATE';
  const part = mayAsk ? 'afterWorker' : 'all';
  if (api.admission.mayMutate({ resource, subresource, operation }, part)) return undefined;
  const namespace = target.namespace === '' ? undefined : api.store.get(`namespaces/${target.namespace}`);
  if (resource.definition.namespaced && !namespace) return undefined;
  const definition = findDefinition(api, resource);
  if (definition === null) return undefined;
  // The object that the worker reads: the one to change, or the namespace of a new one.
  const dependency = current ?? namespace;
  let absentPrefix: string | undefined;
  // The path of a create has no name, so the key is known only once the worker has decoded the body.
  if (isNew) absentPrefix = `${resource.prefix}/`;
  else if (!current) absentPrefix = key;
  return {
    current,
    namespace: current ? undefined : namespace,
    definition,
    objects: dependency ? [dependency] : [],
    absentPrefix,
    size: sourceOf(input).length + (dependency?.json.length ?? 0),
  };
}

/** The CustomResourceDefinition; undefined for built-in kinds, null if it was deleted. */
function findDefinition(
  api: AdmissionContext,
  { definition, group }: ServedResource,
): StoredObject | undefined | null {
  if (!definition.isCustom) return undefined;
  const { dialect, registry, store } = api;
  const definitions = registry.kind(dialect.groupName('apiextensions'), 'v1', 'customresourcedefinitions');
  return store.get(definitions.key('', `${definition.plural}.${group}`)) ?? null;
}
