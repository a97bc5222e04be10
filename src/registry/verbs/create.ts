import { randomUUID } from 'node:crypto';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { alreadyExists, generatedNameTaken } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Reservation } from '../../kind/hooks.ts';
import { ensureNamespaceMatches } from '../../kind/meta/namespace.ts';
import { validateMetadataForCreate } from '../../kind/meta/validation.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { draftOf, dryRunResult, refuseTooLarge } from '../../kind/storage/codec.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import { timestamp } from '../../kind/time.ts';
import type { User } from '../../request/user.ts';
import { type Draft, PreconditionFailed, type StoredObject } from '../../store/store.ts';
import type { Api, Target } from '../api.ts';
import { unseen } from '../audit-hook.ts';
import { readRevision } from '../options/query.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { type AdmissionRun, actIfValid, beginAdmission } from '../write/admission-control.ts';
import { generateName } from '../write/generate-name.ts';
import { refuseCreation, runGuard } from '../write/guard.ts';
import { updateManagedFields } from '../write/managed-fields.ts';
import { validateAbsences } from '../write/missing-fields.ts';
import { refuseInvalid } from '../write/refuse-invalid.ts';
import { reserving } from '../write/reservation.ts';

const generateAttempts = 8;

/** An object to be created. It is the caller's to give away: it is changed on the way. */
export interface NewObject {
  readonly object: ApiObject;
  /** What its body lacks. */
  readonly absences?: readonly FieldError[];
  /** Its managedFields already say who owns what. */
  readonly hasOwners?: boolean;
  /** The writer asked to change it, and not to create it. */
  readonly isChange?: boolean;
}

/** Adds a new object. */
export function create(
  api: Api,
  target: Target,
  created: NewObject,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  if (!api.witness) return add(api, target, created, options, warnings);
  const act = (brings: (object: ApiObject) => void) => {
    brings(created.object);
    return add(unseen(api), target, created, options, warnings);
  };
  return api.witness.see({ verb: 'create', target }, act, (object) => object);
}

async function add(
  api: Api,
  target: Target,
  created: NewObject,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const turns = new CooperativeYield();
  const { hasOwners = false } = created;
  let { object } = created;
  const { resource } = target;
  const { definition } = resource;
  ensureNamespaceMatches(target, object);
  api.lifecycle.assertCreateAllowed(target, object);
  forgetDeletion(object);
  if (!hasOwners) {
    const settling = updateManagedFields(api, target, object, undefined, options);
    if (settling) await settling;
    const afterSettling = turns.next();
    if (afterSettling) await afterSettling;
  }
  const admitting = beginAdmission(api, target, 'CREATE', { object }, options, warnings);
  if (admitting) {
    object = (await admitting.mutate())!;
    ensureNamespaceMatches(target, object);
    forgetDeletion(object);
  }
  const { guard } = definition.strategy;
  if (guard) await runGuard(guard, 'before', { api, target, options }, object);
  const generated = !object.metadata.name && !!object.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    if (generated) object.metadata.name = generateName(object.metadata.generateName!);
    const place = await reserving(
      api,
      definition.strategy,
      { object, dryRun: options.dryRun },
      (enter) =>
        placeNew(
          api,
          target,
          { ...created, object, admitting, enter },
          options,
          attempt === 1 ? warnings : [],
        ),
      (outcome) => 'inserted' in outcome,
    );
    if ('inserted' in place) return place.inserted;
    const name = object.metadata.name ?? '';
    if (!generated) throw nameTaken(resource, name, place.by);
    if (attempt === generateAttempts) throw generatedNameTaken(resource.subject, name);
  }
}

interface AdmittedObject extends NewObject {
  readonly admitting: AdmissionRun | undefined;
  readonly enter: Reservation['enter'];
}

/** Completes and checks the object, and puts it in its place unless there is another. */
async function placeNew(
  api: Api,
  target: Target,
  { object, absences = [], isChange = false, admitting, enter }: AdmittedObject,
  options: WriteOptions,
  warnings: string[],
): Promise<Placed> {
  const { resource } = target;
  const { definition } = resource;
  const turns = new CooperativeYield();
  prepare(api, target, object, options.user);
  const loading = definition.strategy.load?.(object);
  if (loading) await loading;
  const name = object.metadata.name ?? '';
  refuseInvalid(resource.stored.kindSubject, name, () => [
    ...validateMetadataForCreate(object.metadata, definition),
    ...validateAbsences(api, target, absences, object),
    ...(definition.strategy.validate?.(object) ?? []),
  ]);
  warnings.push(...(definition.strategy.warningsOnCreate?.(object) ?? []));
  if (isChange) await refuseCreation({ api, target, options });
  const { guard } = definition.strategy;
  if (guard) await runGuard(guard, 'after', { api, target, options }, object);
  const key = resource.key(target.namespace, name);
  const place = async () => {
    const afterChecking = turns.next();
    if (afterChecking) await afterChecking;
    const drafting = draftOf(api, resource, object);
    const draft = drafting instanceof Promise ? await drafting : drafting;
    refuseTooLarge(resource, draft);
    const afterDrafting = turns.next();
    if (afterDrafting) await afterDrafting;
    const { resourceVersion = '' } = object.metadata;
    if (options.dryRun) return insertDryRun(api, key, draft, resourceVersion);
    if (!isChange) refuseResourceVersion(resourceVersion);
    return insert(api, resource, key, draft, enter);
  };
  if (!admitting) return place();
  return actIfValid(admitting, object, place, (placed) => 'inserted' in placed);
}

type Placed = { readonly inserted: StoredObject } | { readonly by: StoredObject | undefined };

/** A dry run stores nothing, so a resourceVersion does no harm there: it is answered as it came. */
function insertDryRun(api: Api, key: string, draft: Draft, resourceVersion: string): Placed {
  const by = api.store.get(key);
  return by ? { by } : { inserted: dryRunResult(key, draft, resourceVersion) };
}

function refuseResourceVersion(resourceVersion: string): void {
  const asked = readRevision(resourceVersion);
  if ('problem' in asked || asked.revision === 0) return;
  throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
}

/** Puts the object in its place, or says what is there already. */
async function insert(
  api: Api,
  { prefix }: ServedResource,
  key: string,
  draft: Draft,
  enter: Reservation['enter'],
): Promise<Placed> {
  try {
    const series = enter && (await enter());
    const write = { prefix, key, expect: 0, draft, ...(series && { series }) };
    return { inserted: (await api.store.commit(write)).object };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { by: error.current };
    throw error;
  }
}

/** The 409 for a new object whose name another one has. */
export function nameTaken(resource: ServedResource, name: string, by: StoredObject | undefined): ApiError {
  const refusal = alreadyExists(resource.subject, name);
  // What does not name it anywhere need not be parsed.
  if (!by?.json.includes('"deletionTimestamp":') || !storedMetadata(by)?.deletionTimestamp) return refusal;
  const { code, reason, message, details } = refusal;
  return new ApiError(code, reason, `object is being deleted: ${message}`, details);
}

/** What is new is not being deleted, and nobody owns that it is. */
function forgetDeletion({ metadata }: ApiObject): void {
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** What the server alone decides about a new object. */
function prepare(api: Api, target: Target, object: ApiObject, user: User | undefined): void {
  const { metadata } = object;
  delete metadata.selfLink;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(api.clock);
  target.resource.definition.strategy.prepareForCreate?.(object, metadata.creationTimestamp, user);
}
