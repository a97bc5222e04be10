import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { badRequest, conflict, invalidObject, notFound, objectModified } from '../../errors/catalogue.ts';
import { type FieldError, invalid, ShownAs } from '../../errors/field-error.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Reservation } from '../../kind/hooks.ts';
import { ensureNamespaceMatches } from '../../kind/meta/namespace.ts';
import { validateMetadataForUpdate } from '../../kind/meta/validation.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored, draftOf, dryRunResult, refuseTooLarge } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import { withBareReason } from '../../kind/storage/unreadable.ts';
import { timestamp } from '../../kind/time.ts';
import { type Draft, PreconditionFailed, type StoredObject } from '../../store/store.ts';
import { type Api, keyOf, type Target } from '../api.ts';
import { unseen } from '../audit-hook.ts';
import { readRevision } from '../options/query.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { type AdmissionRun, actIfValid, beginAdmission } from '../write/admission-control.ts';
import { runGuard } from '../write/guard.ts';
import { rulesOf, updateManagedFields } from '../write/managed-fields.ts';
import { validateAbsences } from '../write/missing-fields.ts';
import { refuseInvalid } from '../write/refuse-invalid.ts';
import { reservationContext, reserving } from '../write/reservation.ts';
import { create, type NewObject } from './create.ts';

/** An object as a client sent it, or as it came of a patch. */
export interface Incoming {
  readonly object: ApiObject;
  /** What its body lacks. */
  readonly absences?: readonly FieldError[];
  /** It comes of a patch. A uid in it is then a field like others, and not a condition. */
  readonly isPatched?: boolean;
  /** Its managedFields already say who owns what after the write. */
  readonly hasOwners?: boolean;
  /** What it was made of, where that has been read: the stored object of this very moment. */
  readonly old?: ApiObject;
  /** It is the very object that is stored. */
  readonly isUnchanged?: boolean;
  /** It is to be stored as it would be written today, also where its bytes stay what they are. */
  readonly isRewrite?: boolean;
  /** The plugins have been asked already, about what this was made of. */
  readonly admitted?: Admitted;
}

/** What the plugins have seen of a write, and those who are still to be asked once it is complete. */
interface Admitted {
  /** The object that is written as they are to see it. */
  show(object: ApiObject): ApiObject;
  readonly admitting: AdmissionRun | undefined;
}

export interface Updated {
  readonly object: StoredObject;
  readonly created: boolean;
}

/**
 * Replaces an object, or the part of it that a subresource stands for. `read` makes the object as the client sent it:
 * once, and again for each time that somebody else was faster.
 */
export function update(
  api: Api,
  target: Target,
  read: () => Incoming | Promise<Incoming>,
  options: WriteOptions,
  warnings: string[],
): Promise<Updated> {
  if (!api.witness) return change(api, target, read, options, warnings);
  const act = (brings: (object: ApiObject) => void) => {
    const readAndTell = async () => {
      const incoming = await read();
      brings(incoming.object);
      return incoming;
    };
    return change(unseen(api), target, readAndTell, options, warnings);
  };
  return api.witness.see({ verb: 'update', target }, act, ({ object }) => object);
}

async function change(
  api: Api,
  target: Target,
  read: () => Incoming | Promise<Incoming>,
  options: WriteOptions,
  warnings: string[],
): Promise<Updated> {
  for (;;) {
    let incoming: Incoming;
    try {
      const reading = read();
      incoming = reading instanceof Promise ? await reading : reading;
    } catch (error) {
      throw withBareReason(error);
    }
    const { isPatched = false, hasOwners = false, old: known, isUnchanged, isRewrite = false } = incoming;
    const { absences = [] } = incoming;
    let { object } = incoming;
    settleName(target, object);
    ensureNamespaceMatches(target, object);
    let wanted = wantedRevision(object);
    const stored = api.store.get(keyOf(target));
    if (!stored) {
      refuseOtherObject(target, object.metadata.uid, '');
      return {
        object: await createInstead(
          api,
          target,
          { object, absences, hasOwners, isChange: true },
          options,
          warnings,
        ),
        created: true,
      };
    }
    const turns = new CooperativeYield();
    const reread = known ?? readOld(target, stored);
    const old = reread instanceof Promise ? await reread : reread;
    const afterReading = turns.next();
    if (afterReading) await afterReading;
    if (!isPatched) refuseOtherObject(target, object.metadata.uid, old.metadata.uid ?? '');
    if (!hasOwners) {
      const settling = updateManagedFields(api, target, object, old, options);
      if (settling) await settling;
      const afterSettling = turns.next();
      if (afterSettling) await afterSettling;
    }
    api.lifecycle.assertUpdateAllowed(target);
    const { admitted } = incoming;
    const admitting = admitted
      ? admitted.admitting
      : beginAdmission(api, target, 'UPDATE', { object, old }, options, warnings);
    if (admitting && !admitted) {
      object = (await admitting.mutate())!;
      ensureNamespaceMatches(target, object);
      wanted = wantedRevision(object);
    }
    const unconditional = wanted === 0;
    const { guard } = rulesOf(target);
    if (guard) await runGuard(guard, 'before', { api, target, options }, object, old);
    // A view without a resourceVersion is written into whatever state the object is in.
    if (unconditional && !admitted) refuseIfUnconditional(target);
    if (!unconditional && wanted !== stored.revision) {
      throw conflict(target.resource.subject, target.name, objectModified);
    }
    const write = (enter?: Reservation['enter']) =>
      replace(
        api,
        target,
        { stored, old },
        { object, absences, isRewrite, show: admitted?.show, admitting, enter },
        options,
        warnings,
      );
    const { dryRun } = options;
    try {
      if (isUnchanged && !admitting)
        return { object: await api.store.reader.confirm(stored), created: false };
      const replaced =
        target.subresource === ''
          ? reserving(api, target.resource.definition.strategy, { object, old, dryRun }, write)
          : write();
      return { object: await replaced, created: false };
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      if (!unconditional) throw conflict(target.resource.subject, target.name, objectModified);
      // Without a resourceVersion the newest state is as good to replace as the one before.
    }
  }
}

/** The state that the object is to replace; 0 where any will do. Throws where its resourceVersion is none. */
export function wantedRevision({ metadata }: ApiObject): number {
  const asked = readRevision(metadata.resourceVersion ?? '');
  if ('problem' in asked) throw new ApiError(500, '', asked.problem);
  return asked.revision;
}

/** What cannot be read cannot be replaced either; the reference says so with the bare reason. */
function readOld({ resource }: Target, stored: StoredObject): ApiObject | Promise<ApiObject> {
  try {
    const shown = inVersion(resource, stored);
    if (!(shown instanceof Promise)) return decodeStored(resource, shown);
    return shown.then(
      (one) => decodeStored(resource, one),
      (error: unknown) => Promise.reject(withBareReason(error)),
    );
  } catch (error) {
    throw withBareReason(error);
  }
}

function createInstead(
  api: Api,
  target: Target,
  incoming: NewObject,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  if (!target.resource.definition.strategy.allowCreateOnUpdate || target.subresource !== '') {
    throw notFound(target.resource.subject, target.name);
  }
  return create(api, target, incoming, options, warnings);
}

/** What an update replaces: as it is stored, and read. */
interface Current {
  readonly stored: StoredObject;
  readonly old: ApiObject;
}

interface Replacement {
  readonly object: ApiObject;
  readonly absences: readonly FieldError[];
  readonly isRewrite: boolean;
  /** How the plugins are shown it, where a subresource shows it as another kind. */
  readonly show: Admitted['show'] | undefined;
  readonly admitting: AdmissionRun | undefined;
  readonly enter: Reservation['enter'];
}

/** Puts `object` in the place of the current one, under the rules of the target. Rejects with PreconditionFailed if that has changed. */
async function replace(
  api: Api,
  target: Target,
  { stored, old }: Current,
  { object, absences, isRewrite, show, admitting, enter }: Replacement,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const { resource } = target;
  const rules = rulesOf(target);
  const turns = new CooperativeYield();
  keepWhatUpdatesCannotTouch(object, old);
  rules.prepareForUpdate?.(object, old, timestamp(api.clock));
  const loading = rules.load?.(object, old);
  if (loading) await loading;
  refuseInvalid(resource.stored.kindSubject, object.metadata.name ?? target.name, () => [
    ...validateMetadataForUpdate(object.metadata, old.metadata),
    ...validateAbsences(api, target, absences, object, old),
    ...(rules.validateUpdate?.(object, old) ?? []),
  ]);
  for (const warning of rules.warningsOnUpdate?.(object, old) ?? []) {
    if (!warnings.includes(warning)) warnings.push(warning);
  }
  if (rules.guard) await runGuard(rules.guard, 'after', { api, target, options }, object, old);
  const afterChecking = turns.next();
  if (afterChecking) await afterChecking;

  const put = () => putInPlace(api, target, stored, { object, isRewrite, enter }, options.dryRun);
  if (!admitting) return put();
  object.metadata.resourceVersion ||= String(stored.revision);
  return actIfValid(admitting, show ? show(object) : object, put);
}

/** Stores an object that may be, or lets it go if it was only kept for its finalizers. */
async function putInPlace(
  api: Api,
  { resource, subresource }: Target,
  stored: StoredObject,
  { object, isRewrite, enter }: Pick<Replacement, 'object' | 'isRewrite' | 'enter'>,
  dryRun: boolean,
): Promise<StoredObject> {
  const { key, revision } = stored;
  const turns = new CooperativeYield();
  const drafting = draftOf(api, resource, object);
  const draft = drafting instanceof Promise ? await drafting : drafting;
  if (subresource === '') refuseTooLarge(resource, draft);
  const afterDrafting = turns.next();
  if (afterDrafting) await afterDrafting;
  if (isGone(resource, object)) {
    const last = dryRunResult(key, draft, stored.revision);
    if (dryRun) return last;
    await api.store.commit({ prefix: resource.prefix, key, expect: revision, draft: null });
    await resource.definition.strategy.afterDelete?.(reservationContext(api), object);
    return last;
  }
  const isAsWritten = !isRewrite || draft.mark === stored.mark;
  if (isAsWritten && isSame(draft, stored)) return api.store.reader.confirm(stored);
  if (dryRun) return dryRunResult(key, draft, revision);
  const series = enter && (await enter());
  const write = { prefix: resource.prefix, key, expect: revision, draft, ...(series && { series }) };
  return (await api.store.commit(write)).object;
}

/** An object that was only kept for its finalizers goes when the last one does, unless it still has time to end. */
function isGone({ definition }: ServedResource, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    !definition.strategy.awaitsDeletion?.(object)
  );
}

export function settleName(target: Target, object: ApiObject): void {
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

export function refuseOtherObject(target: Target, wanted: string | undefined, found: string): void {
  if (!wanted || wanted === found) return;
  throw conflict(
    target.resource.subject,
    target.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${keyOf(target)}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  );
}

function refuseIfUnconditional(target: Target): void {
  const { subject, definition } = target.resource;
  if (definition.strategy.allowUnconditionalUpdate) return;
  throw invalidObject({ group: subject.group, kind: subject.resource }, target.name, [
    invalid('metadata.resourceVersion', new ShownAs('0x0'), 'must be specified for an update'),
  ]);
}

function keepWhatUpdatesCannotTouch(object: ApiObject, old: ApiObject): void {
  const meta = object.metadata;
  const before = old.metadata;
  if (before.generation === undefined) delete meta.generation;
  else meta.generation = before.generation;
  meta.uid ||= before.uid!;
  if (before.creationTimestamp) meta.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp) meta.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined) {
    meta.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  }
  if (before.selfLink === undefined) delete meta.selfLink;
}

/** Whether the new bytes say just what the stored ones do: then nothing is written and the revision stays. */
export function isSame(
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
