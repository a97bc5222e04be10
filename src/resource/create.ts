import { randomUUID } from 'node:crypto';
import { validateMetadataForCreate } from '../api/meta/validation.ts';
import { alreadyExists, badRequest, generatedNameTaken, invalidObject } from '../errors/catalogue.ts';
import { ApiError } from '../errors/status.ts';
import { PreconditionFailed, type StoredObject } from '../store/store.ts';
import type { Api, Target } from './api.ts';
import { draftOf, phantom } from './codec.ts';
import type { ApiObject } from './definition.ts';
import { refuseWithoutNamespace } from './lifecycle.ts';
import { generateName } from './names.ts';
import type { WriteOptions } from './options/write-options.ts';
import { timestamp } from './time.ts';

const generateAttempts = 8;

/** Adds a new object. The object is the caller's to give away: it is changed on the way. */
export async function create(
  api: Api,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
  warnings: string[],
): Promise<StoredObject> {
  const { resource } = target;
  const { definition } = resource;
  settleNamespace(target, object);
  refuseWithoutNamespace(api, target, object.metadata.name ?? '');
  if (object.metadata.resourceVersion) {
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const generated = !object.metadata.name && !!object.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    prepare(api, target, object);
    if (generated) object.metadata.name = generateName(object.metadata.generateName!);
    const name = object.metadata.name ?? '';
    const errors = [
      ...validateMetadataForCreate(object.metadata, definition),
      ...(definition.strategy.validate?.(object) ?? []),
    ];
    if (errors.length > 0) throw invalidObject(resource.kindSubject, name, errors);
    if (attempt === 1) warnings.push(...(definition.strategy.warningsOnCreate?.(object) ?? []));

    const key = resource.key(target.namespace, name);
    const draft = draftOf(api, resource, object);
    const taken = options.dryRun ? api.store.get(key) !== undefined : false;
    try {
      if (options.dryRun && !taken) return phantom(key, draft);
      if (!taken) return (await api.store.commit({ prefix: resource.prefix, key, expect: 0, draft })).object;
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
    }
    if (!generated) throw alreadyExists(resource.subject, name);
    if (attempt === generateAttempts) throw generatedNameTaken(resource.subject, name);
  }
}

/** The object's namespace is the path's: it may say so, or leave it out. */
export function settleNamespace(target: Target, object: ApiObject): void {
  const { metadata } = object;
  if (target.namespace === '') delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (target.namespace) metadata.namespace = target.namespace;
}

/** What the server alone decides about a new object. */
function prepare(api: Api, target: Target, object: ApiObject): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  target.resource.definition.strategy.prepareForCreate?.(object);
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(api.clock);
}
