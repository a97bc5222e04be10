// Conflicts of a write: which are retried, from which stage, and which error the client gets for the others.
import {
  alreadyExists,
  badRequest,
  conflict,
  generateNameConflict,
  objectModified,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import { PreconditionFailed, type StoredObject } from '../../store/store.ts';
import type { WriteContext } from './context.ts';

/** A failed attempt means that another write succeeded, so concurrent patches of one object make progress. */
const maxPatchAttempts = 1000;
const maxNameAttempts = 8;

/** Resets the context for another attempt, from the first stage or with another generated name; else throws the error. */
export function retryFrom(context: WriteContext, cause: unknown): 'start' | 'name' {
  const error = cause instanceof PreconditionFailed ? resolveRace(context, cause) : cause;
  if (error === 'start' || (context.isPatch && mayRetryPatch(context, error))) {
    context.reset();
    return 'start';
  }
  if (error === 'name') {
    context.warnings.length = context.warningsBeforeName;
    return 'name';
  }
  if (context.isPatch && error instanceof RangeError) throw badRequest('the patch is nested too deeply');
  throw error;
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
  if (!context.isNameGenerated) return nameTaken(target.resource, name, current);
  return context.nameAttempts < maxNameAttempts ? 'name' : generateNameConflict(subject, name);
}

/** A patch is retried on the latest state, unless it sets a resourceVersion or uid as precondition. */
function mayRetryPatch({ attempts, namesState }: WriteContext, error: unknown): boolean {
  if (attempts >= maxPatchAttempts || namesState) return false;
  if (!(error instanceof ApiError) || error.code !== 409) return false;
  return (
    error.reason === 'AlreadyExists' || (error.reason === 'Conflict' && error.details?.name !== undefined)
  );
}

/** The 409 for a new object whose name is taken. */
export function nameTaken(
  resource: ServedResource,
  name: string,
  existing: StoredObject | undefined,
): ApiError {
  const error = alreadyExists(resource.subject, name);
  // Most objects do not contain the field's name anywhere, and need not be parsed.
  if (!existing?.json.includes('"deletionTimestamp":') || !storedMetadata(existing)?.deletionTimestamp) {
    return error;
  }
  const { code, reason, message, details } = error;
  return new ApiError(code, reason, `object is being deleted: ${message}`, details);
}
