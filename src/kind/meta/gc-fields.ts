// Detects updates that only change the fields that the garbage collector writes.

import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { Struct } from '../../schema/struct.ts';
import type { ApiObject } from '../api-object.ts';

/**
 * Whether an update only changes ownerReferences and finalizers (upstream: IsOnlyMutatingGCFields). The garbage collector
 * must be able to change these on every object, so such updates skip the kind's further authorization checks.
 */
export function isOnlyMutatingGCFields<T extends ApiObject>(schema: Struct<T>, object: T, old: T): boolean {
  return isSemanticallyEqual(schema, withoutGCFields(object), withoutGCFields(old));
}

function withoutGCFields<T extends ApiObject>(object: T): T {
  const {
    ownerReferences: _owners,
    finalizers: _finalizers,
    managedFields: _managed,
    resourceVersion: _revision,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}
