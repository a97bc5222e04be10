import { isSame } from '../../schema/same.ts';
import type { Struct } from '../../schema/struct.ts';
import type { ApiObject } from '../api-object.ts';

/**
 * Whether a write changes nothing but who an object belongs to and what must happen before it may go. Whoever cleans up
 * must be able to do that to every object, whatever else its kind asks of a writer.
 */
export function changesOwnersAlone<T extends ApiObject>(schema: Struct<T>, object: T, old: T): boolean {
  return isSame(schema, withoutOwners(object), withoutOwners(old));
}

function withoutOwners<T extends ApiObject>(object: T): T {
  const {
    ownerReferences: _owners,
    finalizers: _finalizers,
    managedFields: _managed,
    resourceVersion: _revision,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}
