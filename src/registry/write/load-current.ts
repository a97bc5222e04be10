// Pipeline stage loadCurrent: matches the object against the URL, and loads the stored object that the write replaces.
// A PUT of an object that does not exist becomes a create, if the kind allows create on update.
import { badRequest, conflict, notFound } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { mapMaybePromise } from '../../kind/storage/convert.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import type { Revision, StoredObject } from '../../store/store.ts';
import { parseRevision } from '../options/query.ts';
import { keyOf, type Target } from '../target.ts';
import type { WriteContext } from './context.ts';
import { beginCreate } from './decode.ts';

export function loadCurrent(context: WriteContext): void | Promise<void> {
  const { api, target, object } = context;
  if (context.isNew) return beginCreate(context);
  assertNameMatches(target, object);
  ensureNamespaceMatches(target, object);
  context.expectedRevision = revisionIn(object);
  context.stored ??= api.store.get(keyOf(target));
  if (!context.stored) {
    assertUidMatches(target, object.metadata.uid, '');
    if (!target.resource.definition.strategy.allowCreateOnUpdate || target.subresource !== '') {
      throw notFound(target.resource.subject, target.name);
    }
    return beginCreate(context);
  }
  const old = context.old ?? decodeInVersion(target, context.stored);
  return mapMaybePromise(old, (decoded) => beginUpdate(context, decoded));
}

function beginUpdate(context: WriteContext, old: ApiObject): void {
  const { api, target, object } = context;
  context.old = old;
  // In a patched object the uid is an ordinary field, validated as immutable; it is no precondition.
  const isPatch = context.patch !== undefined || context.configuration !== undefined;
  if (!isPatch) assertUidMatches(target, object.metadata.uid, old.metadata.uid ?? '');
  api.lifecycle.assertUpdateAllowed(target);
}

function decodeInVersion({ resource }: Target, stored: StoredObject): ApiObject | Promise<ApiObject> {
  return mapMaybePromise(convertToVersion(resource, stored), (converted) =>
    decodeStored(resource, converted),
  );
}

/** The revision in metadata.resourceVersion; 0 if that is empty. Throws a 500 where it is malformed. */
export function revisionIn({ metadata }: ApiObject): Revision {
  const parsed = parseRevision(metadata.resourceVersion ?? '');
  if ('problem' in parsed) throw new ApiError(500, '', parsed.problem);
  return parsed.revision;
}

export function assertNameMatches(target: Target, object: ApiObject): void {
  const { name } = object.metadata;
  if (!name) {
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  }
}

/** The uid in the sent object is a precondition. `actual` is '' for an object that does not exist. */
export function assertUidMatches(target: Target, expected: string | undefined, actual: string): void {
  if (!expected || expected === actual) return;
  throw conflict(
    target.resource.subject,
    target.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${keyOf(target)}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${expected}, UID in object meta: ${actual}`,
  );
}
