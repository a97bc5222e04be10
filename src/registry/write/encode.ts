// Encodes the object for the store, and decides what is to be committed.
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { draftOf, dryRunResult, refuseTooLarge } from '../../kind/storage/codec.ts';
import { going } from '../../kind/storage/convert.ts';
import type { Draft, StoredObject } from '../../store/store.ts';
import { readRevision } from '../options/query.ts';
import type { PreparedWrite, WriteContext } from './context.ts';

export function encode(context: WriteContext): void | Promise<void> {
  const { api, target, object } = context;
  return going(draftOf(api, target.resource, object), (draft) => {
    if (target.subresource === '') refuseTooLarge(target.resource, draft);
    context.prepared = context.stored
      ? preparedUpdate(context, context.stored, draft)
      : preparedCreate(context, draft);
  });
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
  return { is: 'write', write: { prefix: resource.prefix, key, expect: 0, draft } };
}

function assertNoRevision(resourceVersion: string): void {
  const parsed = readRevision(resourceVersion);
  if ('problem' in parsed || parsed.revision === 0) return;
  throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
}

function preparedUpdate(context: WriteContext, stored: StoredObject, draft: Draft): PreparedWrite {
  const { target, object, isRewrite, options } = context;
  const { resource } = target;
  const { key, revision } = stored;
  const write = { prefix: resource.prefix, key, expect: revision, draft };
  if (isDeletionDone(resource, object)) {
    const last = dryRunResult(key, draft, revision);
    if (options.dryRun) return { is: 'dryRun', object: last, isNew: false };
    return { is: 'delete', write: { ...write, draft: null }, last };
  }
  const isCurrentEncoding = !isRewrite || draft.mark === stored.mark;
  if (isCurrentEncoding && hasSameBytes(draft, stored)) return { is: 'unchanged' };
  if (options.dryRun) return { is: 'dryRun', object: dryRunResult(key, draft, revision), isNew: false };
  return { is: 'write', write };
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

/** Whether the encoded object equals the stored one except for its resourceVersion: such a write is a no-op. */
export function hasSameBytes(
  { json, revisionAt }: Pick<Draft, 'json' | 'revisionAt'>,
  stored: StoredObject,
): boolean {
  const tail = stored.revisionAt + stored.revisionLength;
  return (
    revisionAt === stored.revisionAt &&
    json.length + stored.revisionLength === stored.json.length &&
    json.compare(stored.json, 0, revisionAt, 0, revisionAt) === 0 &&
    json.compare(stored.json, tail, stored.json.length, revisionAt, json.length) === 0
  );
}
