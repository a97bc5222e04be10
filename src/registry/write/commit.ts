// Pipeline stages encode and commit. Invariant: all verbs store and delete objects through the functions of this file.
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { assertWithinKindLimit, dryRunResult, encodeDraft } from '../../kind/storage/codec.ts';
import {
  type ConflictScope,
  type Draft,
  PreconditionFailed,
  type StoredObject,
  type Write,
} from '../../store/store.ts';
import { parseRevision } from '../options/query.ts';
import type { UpdateContext, VerbContext } from '../verb-context.ts';
import type { PreparedWrite, WriteContext } from './context.ts';
import { reservationContext } from './reservation.ts';

/** Pipeline stage: encodes the object in its storage version, and decides what to commit (see PreparedWrite). */
export function encode(context: WriteContext): void | Promise<void> {
  const { api, target, object } = context;
  const draft = encodeDraft(api, target.resource, object);
  if (draft instanceof Promise) return draft.then((converted) => setPrepared(context, converted));
  setPrepared(context, draft);
}

function setPrepared(context: WriteContext, draft: Draft): void {
  const { target, stored, options } = context;
  if (options.user) assertWithinKindLimit(target.resource, draft);
  context.prepared = stored ? preparedUpdate(context, stored, draft) : preparedCreate(context, draft);
}

function preparedCreate(context: WriteContext, draft: Draft): PreparedWrite {
  const { resource, namespace } = context.target;
  const { name = '', resourceVersion = '' } = context.object.metadata;
  const key = resource.key(namespace, name);
  // A dry run stores nothing: kube-apiserver accepts a resourceVersion there, and returns it unchanged.
  if (context.options.dryRun) {
    return { is: 'dryRun', object: dryRunResult(key, draft, resourceVersion), isNew: true };
  }
  if (!context.isCreateOnUpdate) assertNoRevision(resourceVersion);
  return { is: 'write', write: { prefix: resource.prefix, key, expectedRevision: 0, draft } };
}

function assertNoRevision(resourceVersion: string): void {
  if (resourceVersion === '') return;
  const parsed = parseRevision(resourceVersion);
  // kube-apiserver ignores a malformed resourceVersion here.
  if ('problem' in parsed || parsed.revision === 0) return;
  throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
}

function preparedUpdate(context: WriteContext, stored: StoredObject, draft: Draft): PreparedWrite {
  const { target, object, isRewrite, options } = context;
  const { resource } = target;
  const { key, revision } = stored;
  if (isDeletionDone(resource, object)) {
    const last = dryRunResult(key, draft, revision);
    if (options.dryRun) return { is: 'dryRun', object: last, isNew: false };
    return { is: 'delete', last };
  }
  // A storage migration also updates the schema fingerprint beside the bytes.
  const needsRewrite = isRewrite && draft.schemaFingerprint !== stored.schemaFingerprint;
  if (!needsRewrite && hasSameBytes(draft, stored)) return { is: 'unchanged' };
  if (options.dryRun) return { is: 'dryRun', object: dryRunResult(key, draft, revision), isNew: false };
  const isTerminating = object.metadata.deletionTimestamp !== undefined;
  return {
    is: 'write',
    write: { prefix: resource.prefix, key, expectedRevision: revision, draft, isTerminating },
  };
}

/** A terminating object is removed once it has no finalizers and its grace period is 0. */
function isDeletionDone({ definition }: ServedResource, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    !definition.strategy.awaitsDeletion?.(object)
  );
}

/** Whether the draft equals the stored JSON, which has a resourceVersion at `revisionOffset`: the write is a no-op. */
export function hasSameBytes(
  { json, revisionOffset }: Pick<Draft, 'json' | 'revisionOffset'>,
  stored: StoredObject,
): boolean {
  const revisionEnd = stored.revisionOffset + stored.revisionLength;
  return (
    revisionOffset === stored.revisionOffset &&
    json.length + stored.revisionLength === stored.json.length &&
    json.compare(stored.json, 0, revisionOffset, 0, revisionOffset) === 0 &&
    json.compare(stored.json, revisionEnd, stored.json.length, revisionOffset, json.length) === 0
  );
}

/** Pipeline stage: commits. Rejects with PreconditionFailed where the object was created or changed concurrently. */
export async function commit(context: WriteContext): Promise<void> {
  const { namespaceSeen, isNew } = context;
  const { store } = context.api;
  if (namespaceSeen && store.get(namespaceSeen.key)?.revision !== namespaceSeen.revision) {
    throw new PreconditionFailed(namespaceSeen.key, undefined);
  }
  context.result = { object: await commitPrepared(context, context.prepared!), created: isNew };
}

function commitPrepared(
  context: WriteContext,
  prepared: PreparedWrite,
): StoredObject | Promise<StoredObject> {
  const { api, target, stored, object, reservation } = context;
  switch (prepared.is) {
    case 'unchanged':
      return api.store.reader.confirm(stored!);
    case 'dryRun': {
      // Fails like the create that it stands for.
      const { key } = prepared.object;
      const existing = prepared.isNew ? api.store.get(key) : undefined;
      if (existing) throw new PreconditionFailed(key, existing);
      return prepared.object;
    }
    case 'delete':
      return commitDelete(api, target.resource, stored!, object).then(() => prepared.last);
    case 'write':
      return reservation?.enter
        ? commitInScope(api, reservation.enter(), prepared.write)
        : commitWrite(api, prepared.write);
  }
}

/** Commits in a conflict scope: fails where another server commits node ports in the same scope first. */
async function commitInScope(
  api: UpdateContext,
  entering: Promise<ConflictScope>,
  write: Write,
): Promise<StoredObject> {
  return commitWrite(api, { ...write, conflictScope: await entering });
}

async function commitWrite(api: UpdateContext, write: Write): Promise<StoredObject> {
  return (await api.store.commit(write)).object;
}

/** Replaces a stored object, or only returns the result of a dry run. */
export async function commitUpdate(
  api: UpdateContext,
  { prefix }: ServedResource,
  { key, revision }: StoredObject,
  draft: Draft,
  { dryRun, isTerminating }: { readonly dryRun: boolean; readonly isTerminating: boolean },
): Promise<StoredObject> {
  if (dryRun) return dryRunResult(key, draft, revision);
  return commitWrite(api, { prefix, key, expectedRevision: revision, draft, isTerminating });
}

/** Deletes a stored object. The kind then releases its reservations; `object` is undefined if it cannot be decoded. */
export async function commitDelete(
  api: VerbContext,
  { prefix, definition }: ServedResource,
  { key, revision }: StoredObject,
  object: ApiObject | undefined,
): Promise<StoredObject> {
  const deleted = await commitWrite(api, { prefix, key, expectedRevision: revision, draft: null });
  if (object) await definition.strategy.afterDelete?.(reservationContext(api), object);
  return deleted;
}
