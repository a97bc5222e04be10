// delete: removes an object, or marks it for deletion (deletionTimestamp) while finalizers or a grace period hold it.
// Bulk is the large part of an object that deletion does not look at; it is neither decoded nor encoded.

import { timestamp } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { parseOutline } from '../../codec/json/parse-outline.ts';
import { conflict, internalError, invalidObject, notFound } from '../../errors/catalogue.ts';
import { invalid } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';

import {
  foregroundFinalizer,
  orphanFinalizer,
  type ValidatedDeleteOptions,
} from '../../kind/delete-options.ts';

import type { ServedResource } from '../../kind/registry.ts';
import {
  decodeStored,
  encodeDraft,
  type ObjectWithoutBulk,
  readWithoutBulk,
  tryDecodeWritten,
} from '../../kind/storage/codec.ts';
import { mapMaybePromise } from '../../kind/storage/convert.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import { tryChangeMetadata, tryReadMetadata } from '../../kind/storage/stored-metadata.ts';
import type { User } from '../../request/user.ts';
import type { Draft, StoredObject } from '../../store/store.ts';
import { withoutAuditHook } from '../audit-hook.ts';
import type { OriginatingRequest } from '../options/write-options.ts';
import { keyOf, type Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import { validateAndRun } from '../write/admission.ts';
import type { AdmissionObjects, AdmissionRun } from '../write/admission-control.ts';
import { commitDelete, commitUpdate } from '../write/commit.ts';
import { retryPreconditionFailures } from '../write/retry.ts';
import { deleteGracefully } from './graceful-delete.ts';

export interface DeleteResult {
  /** The last state of the object, or the state marked for deletion. */
  readonly object: StoredObject;
  /** False: the object is marked for deletion and waits for its finalizers. */
  readonly gone: boolean;
  /** Undefined for a corrupt object. */
  readonly uid?: string | undefined;
}

/** The delete request of a client. */
export interface DeleteRequest extends OriginatingRequest {
  readonly user: User;
  readonly warnings: string[];
}

/** Deletes an object, or sets its deletionTimestamp while finalizers or a grace period hold it. */
export function deleteObject(
  api: VerbContext,
  target: Target,
  options: ValidatedDeleteOptions,
  request?: DeleteRequest,
): Promise<DeleteResult> {
  if (!api.auditHook) return deleteWithRetry(api, target, options, request);
  const runDelete = () => deleteWithRetry(withoutAuditHook(api), target, options, request);
  return api.auditHook.record({ verb: 'delete', target }, runDelete, ({ object }) => object);
}

function deleteWithRetry(
  api: VerbContext,
  target: Target,
  options: ValidatedDeleteOptions,
  request: DeleteRequest | undefined,
): Promise<DeleteResult> {
  return retryPreconditionFailures(async () => {
    const stored = api.store.get(keyOf(target));
    if (options.ignoreReadErrors) return deleteCorrupt(api, target, stored);
    if (!stored) throw notFound(target.resource.subject, target.name);
    return deleteOnce(api, target, stored, options, request);
  });
}

/** One attempt. Rejects with PreconditionFailed where the object changed concurrently. */
async function deleteOnce(
  api: VerbContext,
  target: Target,
  stored: StoredObject,
  options: ValidatedDeleteOptions,
  request: DeleteRequest | undefined,
): Promise<DeleteResult> {
  const { resource } = target;
  const version = workingVersion(resource);
  const converted = await convertToVersion(version, stored);
  const yielding = new CooperativeYield();
  const decoded = decodeForDelete(version, converted);
  const { object } = decoded;
  await yielding.next();
  assertPreconditions(target, object, options);
  api.lifecycle.assertDeleteAllowed(target);
  const runDelete = () => removeOrMark(api, target, stored, decoded, options);
  const admission = request && beginDeleteAdmission(api, target, decoded, options, request);
  if (admission) await admission.mutate();
  const deleted = await (admission ? validateAndRun(admission, undefined, runDelete) : runDelete());
  return { ...deleted, uid: object.metadata.uid };
}

/** The object to delete: decoded as a whole, without its bulk or its long fields, or only its metadata. */
interface DecodedForDelete {
  readonly object: ApiObject;
  /** The stored object in the working version. */
  readonly converted: StoredObject;
  /** Whether `object` has all fields. */
  readonly isWhole: boolean;
  /** Set if the object was decoded without its bulk. */
  readonly withoutBulk: ObjectWithoutBulk | undefined;
}

function decodeForDelete(version: ServedResource, converted: StoredObject): DecodedForDelete {
  const metadata = needsWholeObject(version, converted) ? undefined : tryReadMetadata(converted);
  if (metadata) {
    const { apiVersion, kind } = version;
    const { gracefulDelete, afterDelete } = version.definition.strategy;
    const fields = gracefulDelete || afterDelete ? parseOutline(converted.json.toString(), 'metadata') : {};
    const object = { ...fields, apiVersion, kind, metadata };
    return { object, converted, isWhole: false, withoutBulk: undefined };
  }
  const withoutBulk = readWithoutBulk(version, converted);
  const object = withoutBulk?.object ?? decodeStored(version, converted);
  return { object, converted, isWhole: !withoutBulk, withoutBulk };
}

/** Custom resources are handled in the requested version: only a conversion webhook knows the storage version. */
const workingVersion = (resource: ServedResource) =>
  resource.definition.isCustom ? resource : resource.stored;

/** For most kinds the metadata, or some short fields, decide how an object is deleted, so the rest is not decoded. */
function needsWholeObject({ definition }: ServedResource, { schemaFingerprint }: StoredObject): boolean {
  const { awaitsDeletion, prepareForDelete } = definition.strategy;
  if (awaitsDeletion || prepareForDelete) return true;
  return !definition.isCustom && schemaFingerprint !== definition.schema.fingerprint;
}

/** Begins admission of the deletion; undefined if no plugin handles it. */
function beginDeleteAdmission(
  api: VerbContext,
  target: Target,
  decoded: DecodedForDelete,
  options: ValidatedDeleteOptions,
  request: DeleteRequest,
): AdmissionRun | undefined {
  const { resource } = target;
  const admissionTarget = { resource, subresource: '', operation: 'DELETE' } as const;
  if (!api.admission.handles(admissionTarget)) return undefined;
  const { user, warnings } = request;
  const admissionRequest = { target, operation: 'DELETE', user, options, request, warnings } as const;
  return api.admission.begin(api, admissionRequest, new ObjectToDelete(resource, decoded));
}

/** The object for admission. Most plugins do not read it, so it is decoded on demand unless it already is. */
class ObjectToDelete implements AdmissionObjects {
  readonly #resource: ServedResource;
  readonly #decoded: DecodedForDelete;
  #old: ApiObject | undefined;

  constructor(resource: ServedResource, decoded: DecodedForDelete) {
    this.#resource = resource;
    this.#decoded = decoded;
  }

  get old(): ApiObject {
    this.#old ??= this.#decode();
    return this.#old;
  }

  #decode(): ApiObject {
    const { object, isWhole, converted } = this.#decoded;
    return isWhole && workingVersion(this.#resource) === this.#resource
      ? object
      : decodeStored(this.#resource, converted);
  }
}

/** Deletes the object if nothing holds it, else marks it for deletion with the finalizers of the propagation policy. */
async function removeOrMark(
  api: VerbContext,
  target: Target,
  stored: StoredObject,
  decoded: DecodedForDelete,
  options: ValidatedDeleteOptions,
): Promise<DeleteResult> {
  const { resource } = target;
  const { object } = decoded;
  const { strategy } = resource.definition;
  const policy = options.propagationPolicy ?? defaultPropagationPolicy(target, object);
  const finalizers = finalizersFor(object, policy);
  const { finalizerOnDelete } = strategy;
  const alreadyMarked = object.metadata.deletionTimestamp !== undefined;
  if (finalizerOnDelete !== undefined && !alreadyMarked && !finalizers.includes(finalizerOnDelete)) {
    finalizers.push(finalizerOnDelete);
  }
  if (strategy.gracefulDelete) {
    const { gracePeriodSeconds: requested, dryRun } = options;
    const encode = (change: (object: Pick<ApiObject, 'metadata'>) => void) =>
      encodeMarked(api, target, stored, decoded, change);
    return deleteGracefully(api, target, stored, object, { requested, finalizers, dryRun, encode });
  }
  if (finalizers.length === 0 && !strategy.awaitsDeletion?.(object)) {
    if (options.dryRun) return { object: stored, gone: true };
    return { object: await commitDelete(api, resource.stored, stored, object), gone: true };
  }
  const finalizersChange = finalizers.join('\0') !== (object.metadata.finalizers ?? []).join('\0');
  if (alreadyMarked && !finalizersChange)
    return { object: await api.store.reader.confirm(stored), gone: false };

  const change = (marked: ApiObject) => {
    if (finalizers.length > 0) marked.metadata.finalizers = finalizers;
    else delete marked.metadata.finalizers;
    if (!alreadyMarked) markForDeletion(api, target, marked);
  };
  const yielding = new CooperativeYield();
  const draft = await encodeMarked(api, target, stored, decoded, change);
  await yielding.next();
  const { dryRun } = options;
  return {
    object: await commitUpdate(api, resource, stored, draft, { dryRun, isTerminating: true }),
    gone: false,
  };
}

/** Encodes the object after `change`. Where only metadata changes, the rest of the stored JSON is kept undecoded. */
function encodeMarked(
  api: VerbContext,
  target: Target,
  stored: StoredObject,
  { object, converted, isWhole, withoutBulk }: DecodedForDelete,
  change: (object: ApiObject) => void,
): Draft | Promise<Draft> {
  const { resource } = target;
  const { apiVersion, kind, definition } = resource.stored;
  const changesMetadataOnly = !definition.strategy.prepareForDelete && converted === stored;
  const marked =
    changesMetadataOnly &&
    tryChangeMetadata(resource, stored, (metadata) => change({ apiVersion, kind, metadata } as ApiObject));
  if (marked) return marked;
  const version = workingVersion(resource);
  const wholeObject = isWhole || withoutBulk ? object : decodeStored(version, converted);
  change(wholeObject);
  const draft = encodeDraft(api, version, wholeObject);
  return withoutBulk ? mapMaybePromise(draft, withoutBulk.complete) : draft;
}

function markForDeletion(api: VerbContext, target: Target, object: ApiObject): void {
  const { strategy } = target.resource.stored.definition;
  const { metadata } = object;
  metadata.deletionTimestamp = timestamp(api.clock);
  if (strategy.prepareForDelete) strategy.prepareForDelete(object);
  else metadata.deletionGracePeriodSeconds = 0;
  if (metadata.generation && strategy.finalizerOnDelete === undefined) metadata.generation++;
}

/** The kind's default, used if neither this request nor an earlier one set a policy. */
function defaultPropagationPolicy(
  { resource }: Target,
  { metadata }: ApiObject,
): ValidatedDeleteOptions['propagationPolicy'] {
  if (!resource.definition.strategy.orphansByDefault) return undefined;
  return metadata.finalizers?.includes(foregroundFinalizer) ? undefined : 'Orphan';
}

/** The policy is stored as a finalizer for the garbage collector; that of the latest request replaces earlier ones. */
function finalizersFor(object: ApiObject, policy: ValidatedDeleteOptions['propagationPolicy']): string[] {
  const finalizers = object.metadata.finalizers ?? [];
  if (policy === undefined) return finalizers;
  const required = finalizerOfPolicy(policy);
  const kept = finalizers.filter(
    (name) => name === required || (name !== orphanFinalizer && name !== foregroundFinalizer),
  );
  if (required !== undefined && !kept.includes(required)) kept.push(required);
  return kept;
}

/** Background deletion needs no finalizer. */
function finalizerOfPolicy(policy: ValidatedDeleteOptions['propagationPolicy']): string | undefined {
  if (policy === 'Orphan') return orphanFinalizer;
  return policy === 'Foreground' ? foregroundFinalizer : undefined;
}

/** Throws 409 if uid or resourceVersion differ from the preconditions in DeleteOptions. */
export function assertPreconditions(
  target: Target,
  object: ApiObject,
  { preconditions }: Pick<ValidatedDeleteOptions, 'preconditions'>,
): void {
  const { uid, resourceVersion } = object.metadata;
  if (target.resource.definition.strategy.awaitsDeletion) {
    assertStoragePreconditions(target, object, preconditions);
    return;
  }
  const subject = { group: target.resource.group, resource: target.resource.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw conflict(
      subject,
      target.name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). ` +
        'The object might have been deleted and then recreated',
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw conflict(
      subject,
      target.name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ` +
        `ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** Kinds with `spec.finalizers` (Namespace) report failed preconditions with the message of the storage layer. */
function assertStoragePreconditions(
  { resource, name }: Target,
  object: ApiObject,
  preconditions: ValidatedDeleteOptions['preconditions'],
): void {
  for (const [field, actual, expected] of [
    ['UID', object.metadata.uid, preconditions?.uid],
    ['ResourceVersion', object.metadata.resourceVersion, preconditions?.resourceVersion],
  ] as const) {
    if (expected === undefined || expected === actual) continue;
    throw conflict(
      resource.subject,
      name,
      `Precondition failed: ${field} in precondition: ${expected}, ${field} in object meta: ${actual}`,
    );
  }
}

/** Deletes an undecodable object regardless of finalizers (ignoreStoreReadErrorWithClusterBreakingPotential). */
async function deleteCorrupt(
  api: VerbContext,
  target: Target,
  stored: StoredObject | undefined,
): Promise<DeleteResult> {
  const { subject, definition } = target.resource;
  if (!stored || tryDecodeWritten(target.resource, stored)) {
    if (definition.strategy.awaitsDeletion) {
      throw internalError(
        'no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential',
      );
    }
    throw invalidObject({ group: subject.group, kind: subject.resource }, target.name, [
      invalid(
        'ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'is exclusively used to delete corrupt object(s), try again by removing this option',
      ),
    ]);
  }
  await commitDelete(api, target.resource, stored, undefined);
  return { object: stored, gone: true };
}
