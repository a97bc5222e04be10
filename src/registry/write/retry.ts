// Conflicts and retries of a write. Clients see a conflict only if a retry cannot help. There are two levels:
// - Inside the write pipeline, `resetForRetry` decides whether a failed attempt is repeated, and from which stage.
// - Around a whole operation, `retryPreconditionFailures` and `retryOnConflict` repeat it on the latest state.
import {
  alreadyExists,
  badRequest,
  conflict,
  generateNameConflict,
  objectModified,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { tryReadMetadata } from '../../kind/storage/stored-metadata.ts';
import {
  PreconditionFailed,
  type Revision,
  type Store,
  type StoredObject,
  TransactionConflict,
} from '../../store/store.ts';
import type { WriteContext } from './context.ts';

/** Bounds the retries of one patch. A failed attempt means that another write succeeded, so the writers progress. */
const maxPatchAttempts = 1000;
/** As in kube-apiserver (maxNameGenerationCreateAttempts). */
const maxNameAttempts = 8;

/** The stage that a retry starts from: `prepare` generates another name for a new object with generateName. */
type RestartStage = 'first' | 'prepare';

/** Resets the context for another attempt after `failure`. Throws the client's error where the failure is final. */
export function resetForRetry(context: WriteContext, failure: unknown): RestartStage {
  let error = failure;
  if (failure instanceof PreconditionFailed) {
    if (canGenerateAnotherName(context)) {
      context.warnings.length = context.warningsBeforeName;
      return 'prepare';
    }
    if (isUnconditionalUpdate(context)) return resetToFirstStage(context);
    error = concurrentWriteError(context, failure);
  }
  const isPatch = context.patch !== undefined || context.configuration !== undefined;
  if (isPatch && mayRetryPatch(context, error)) return resetToFirstStage(context);
  // The recursion over a deeply nested patch overflowed the stack.
  if (isPatch && error instanceof RangeError) throw badRequest('the patch is nested too deeply');
  throw error;
}

function canGenerateAnotherName({ isNew, isNameGenerated, nameAttempts }: WriteContext): boolean {
  return isNew && isNameGenerated && nameAttempts < maxNameAttempts;
}

/** A write without a resourceVersion replaces any state of the object, also the latest. */
function isUnconditionalUpdate({ isNew, expectedRevision }: WriteContext): boolean {
  return !isNew && expectedRevision === 0;
}

/** The 409 for an object that another write created or changed since this write read it. */
function concurrentWriteError(context: WriteContext, { current }: PreconditionFailed): ApiError {
  const { resource, name } = context.target;
  if (!context.isNew) return conflict(resource.subject, name, objectModified);
  return nameTakenError(resource, context.object.metadata, current);
}

/** A patch is retried on the latest state, unless it sets a resourceVersion or uid as precondition. */
function mayRetryPatch({ attempts, hasPreconditions }: WriteContext, error: unknown): boolean {
  if (attempts >= maxPatchAttempts || hasPreconditions) return false;
  if (!(error instanceof ApiError) || error.code !== 409) return false;
  // A conflict of server-side apply between field managers names no object, and is final.
  const isObjectConflict = error.reason === 'Conflict' && error.details?.name !== undefined;
  return isObjectConflict || error.reason === 'AlreadyExists';
}

/** Clears the results of a failed attempt, except the parsed patch. */
function resetToFirstStage(context: WriteContext): RestartStage {
  context.attempts++;
  context.target = context.request.target;
  context.warnings.length = context.warningsBefore;
  context.parsed = undefined;
  context.viewOwners = undefined;
  context.toView = undefined;
  context.stored = undefined;
  context.old = undefined;
  context.isUnchanged = false;
  context.isNew = false;
  context.isCreateOnUpdate = false;
  context.admission = undefined;
  context.prepared = undefined;
  context.result = undefined;
  context.nameAttempts = 0;
  context.isNameGenerated = false;
  return 'first';
}

/** The 409 for a new object whose name is taken by `existing`. */
export function nameTakenError(
  { subject, stored }: ServedResource,
  { name = '', generateName }: Pick<ObjectMetadata, 'name' | 'generateName'>,
  existing: StoredObject | undefined,
): ApiError {
  // As in kube-apiserver, a generateName counts even if it was not used, and the group is that of the stored kind.
  const error = generateName
    ? generateNameConflict({ ...subject, group: stored.kindSubject.group }, name)
    : alreadyExists(subject, name);
  if (!existing || !isBeingDeleted(existing)) return error;
  const { code, reason, message, details } = error;
  return new ApiError(code, reason, `object is being deleted: ${message}`, details);
}

function isBeingDeleted(stored: StoredObject): boolean {
  // Most objects do not contain the field's name anywhere, and need not be parsed.
  if (!stored.json.includes('"deletionTimestamp":')) return false;
  return Boolean(tryReadMetadata(stored)?.deletionTimestamp);
}

/**
 * Repeats `attempt` until it does not fail with PreconditionFailed. `attempt` reads the object again each time, so that
 * it acts on the latest state. For delete and guaranteedUpdate, which have no pipeline to retry in.
 */
export async function retryPreconditionFailures<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }
}

/**
 * Runs `attempt`, and repeats it where it may have been decided on outdated state. A replica may lag behind a write
 * that another server acknowledged: a rejection that depends on stored objects is repeated once if the replica was
 * outdated. A transaction conflict is always repeated.
 */
export async function retryOnConflict<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  const { revision } = store;
  try {
    return await attempt();
  } catch (error) {
    return retryAfterFailure(store, revision, error, attempt);
  }
}

/** The retries of `retryOnConflict`, after an attempt that began at `firstRevision` failed with `firstError`. */
export async function retryAfterFailure<T>(
  store: Store,
  firstRevision: Revision,
  firstError: unknown,
  attempt: () => Promise<T>,
): Promise<T> {
  let error = firstError;
  let startRevision = firstRevision;
  let hasCaughtUp = false;
  for (;;) {
    if (!(error instanceof TransactionConflict)) {
      const isFinal =
        hasCaughtUp || !dependsOnState(error) || !(await store.reader.isOutdated(startRevision));
      if (isFinal) throw error;
      hasCaughtUp = true;
    }
    startRevision = store.revision;
    try {
      return await attempt();
    } catch (nextError) {
      error = nextError;
    }
  }
}

/** Status codes of rejections that depend on stored objects: permissions, names, quota, policies. */
const stateDependentCodes: ReadonlySet<number> = new Set([403, 404, 409, 422]);

function dependsOnState(error: unknown): boolean {
  return error instanceof ApiError && stateDependentCodes.has(error.code);
}
