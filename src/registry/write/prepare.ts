// Pipeline stage prepare (upstream: rest.BeforeCreate and BeforeUpdate): sets the metadata that only the server sets,
// and lets the kind's strategy reserve cluster IPs and node ports, and fill in fields.
import { randomInt, randomUUID } from 'node:crypto';
import { timestamp } from '../../base/clock.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { neverAborted, type TaskOwner } from '../../request/task-owner.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { WriteContext } from './context.ts';
import { reservationContext } from './reservation.ts';

export function prepare(context: WriteContext): void | Promise<void> {
  const { target } = context;
  if (context.isNew) setGeneratedName(context);
  const { reserve } = target.resource.definition.strategy;
  if (reserve && target.subresource === '') return reserveAndPrepare(context);
  return prepareObject(context);
}

/** Generates a name where the object has none, and another one on each retry. */
function setGeneratedName(context: WriteContext): void {
  const { metadata } = context.object;
  if (context.nameAttempts === 0) {
    context.isNameGenerated = !metadata.name && !!metadata.generateName;
    // A retry with another name drops the warnings of the attempt before.
    context.warningsBeforeName = context.warnings.length;
  }
  if (!context.isNameGenerated) return;
  context.nameAttempts++;
  metadata.name = generateName(metadata.generateName!);
}

async function reserveAndPrepare(context: WriteContext): Promise<void> {
  const { api, target, object, old, options } = context;
  const { strategy } = target.resource.definition;
  context.reservation = await strategy.reserve!(reservationContext(api), object, old, options.dryRun);
  await prepareObject(context);
}

/**
 * Sets the metadata, runs the strategy's prepare hook and then its `load` hook, which imports modules (CEL) that the
 * validation of the object needs. Returns a promise only where `load` has something to import.
 */
function prepareObject(context: WriteContext): void | Promise<void> {
  const { api, target, object, old, options } = context;
  const updateStrategy = target.resource.updateStrategy(target.subresource);
  if (old) {
    keepServerFields(object, old);
    updateStrategy.prepareForUpdate?.(object, old, timestamp(api.clock));
    return updateStrategy.load?.(object, old, ownerOf(options), options.maxRuleCost);
  }
  const { metadata } = object;
  delete metadata.selfLink;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(api.clock);
  target.resource.definition.strategy.prepareForCreate?.(object, metadata.creationTimestamp, options.user);
  return updateStrategy.load?.(object, undefined, ownerOf(options), options.maxRuleCost);
}

/** The client's request. A worker thread knows only its user. */
const ownerOf = ({ request, user }: WriteOptions): TaskOwner | undefined =>
  request ?? (user && { user, signal: neverAborted });

/**
 * Takes the metadata that only the server sets from the old object. A uid or deletionGracePeriodSeconds of the client stays,
 * and validation rejects it if it differs.
 */
function keepServerFields(object: ApiObject, old: ApiObject): void {
  const meta = object.metadata;
  const oldMeta = old.metadata;
  if (oldMeta.generation === undefined) delete meta.generation;
  else meta.generation = oldMeta.generation;
  meta.uid ||= oldMeta.uid!;
  if (oldMeta.creationTimestamp) meta.creationTimestamp = oldMeta.creationTimestamp;
  if (oldMeta.deletionTimestamp) meta.deletionTimestamp = oldMeta.deletionTimestamp;
  if (oldMeta.deletionGracePeriodSeconds !== undefined) {
    meta.deletionGracePeriodSeconds ??= oldMeta.deletionGracePeriodSeconds;
  }
  if (oldMeta.selfLink === undefined) delete meta.selfLink;
}

/** No vowels and no digits that look like letters: names do not form words by accident. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxNameLength = 63;

/** A name from a `generateName`: the prefix, truncated to keep the name within 63 characters, and a random suffix. */
export function generateName(prefix: string): string {
  let name = prefix.slice(0, maxNameLength - suffixLength);
  for (let i = 0; i < suffixLength; i++) name += alphabet[randomInt(alphabet.length)];
  return name;
}
