// Conflicts and retries of a write: which conflicts are retried, from which stage, and the error for the others.
import {
  alreadyExists,
  badRequest,
  conflict,
  generateNameConflict,
  objectModified,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
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

/** A failed attempt means that another write succeeded, so concurrent patches of one object make progress. */
const maxPatchAttempts = 1000;
const maxNameAttempts = 8;

/** Resets the context for another attempt, from the first stage or with another generated name; else throws the error. */
export function retryFrom(context: WriteContext, cause: unknown): 'start' | 'name' {
  const error = cause instanceof PreconditionFailed ? resolveRace(context, cause) : cause;
  const isPatch = context.patch !== undefined || context.configuration !== undefined;
  if (error === 'start' || (isPatch && mayRetryPatch(context, error))) {
    reset(context);
    return 'start';
  }
  if (error === 'name') {
    context.warnings.length = context.warningsBeforeName;
    return 'name';
  }
  if (isPatch && error instanceof RangeError) throw badRequest('the patch is nested too deeply');
  throw error;
}

/** Clears the results of a failed attempt, except the parsed patch. */
function reset(context: WriteContext): void {
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
}

/** Decides what follows when the object was created or changed concurrently. */
function resolveRace(context: WriteContext, { current }: PreconditionFailed): 'start' | 'name' | ApiError {
  const { target, isNew, object } = context;
  const { subject } = target.resource;
  if (!isNew) {
    // A write without a resourceVersion replaces any state, also the latest.
    return context.expectedRevision === 0 ? 'start' : conflict(subject, target.name, objectModified);
  }
  const name = object.metadata.name ?? '';
  if (!context.isNameGenerated) return nameTakenError(target.resource, name, current);
  return context.nameAttempts < maxNameAttempts ? 'name' : generateNameConflict(subject, name);
}

/** A patch is retried on the latest state, unless it sets a resourceVersion or uid as precondition. */
function mayRetryPatch({ attempts, hasPreconditions }: WriteContext, error: unknown): boolean {
  if (attempts >= maxPatchAttempts || hasPreconditions) return false;
  if (!(error instanceof ApiError) || error.code !== 409) return false;
  return (
    error.reason === 'AlreadyExists' || (error.reason === 'Conflict' && error.details?.name !== undefined)
  );
}

/** The 409 for a new object whose name is taken. */
export function nameTakenError(
  resource: ServedResource,
  name: string,
  existing: StoredObject | undefined,
): ApiError {
  const error = alreadyExists(resource.subject, name);
  // Most objects do not contain the field's name anywhere, and need not be parsed.
  if (!existing?.json.includes('"deletionTimestamp":') || !tryReadMetadata(existing)?.deletionTimestamp) {
    return error;
  }
  const { code, reason, message, details } = error;
  return new ApiError(code, reason, `object is being deleted: ${message}`, details);
}

/** Repeats a write of the server itself on the latest state, until no concurrent change interferes. */
export async function retryOnLatest<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }
}

/** Status codes of rejections that depend on stored objects: permissions, names, quota, policies. */
const stateDependentCodes: ReadonlySet<number> = new Set([403, 404, 409, 422]);

/** A rejection that depends on the state is final only on the latest state; transaction conflicts are always retried. */
export async function retryOnConflict<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  const { revision } = store;
  try {
    return await attempt();
  } catch (error) {
    return retryAfter(store, revision, error, attempt);
  }
}

/** Retries like `retryOnConflict`, after a first attempt that began at `revision` failed with `error`. */
export async function retryAfter<T>(
  store: Store,
  revision: Revision,
  error: unknown,
  attempt: () => Promise<T>,
): Promise<T> {
  let failure = error;
  let startRevision = revision;
  for (let isLatest = false; ; ) {
    if (!(failure instanceof TransactionConflict)) {
      if (isLatest || !(failure instanceof ApiError) || !stateDependentCodes.has(failure.code)) throw failure;
      if (!(await store.reader.isOutdated(startRevision))) throw failure;
      isLatest = true;
    }
    startRevision = store.revision;
    try {
      return await attempt();
    } catch (next) {
      failure = next;
    }
  }
}
