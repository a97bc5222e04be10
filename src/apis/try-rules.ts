import { describe, type FieldError } from '../errors/field-error.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { validateMetadataForCreate } from '../kind/meta/validation.ts';
import type { UpdateStrategy } from '../kind/strategy.ts';

/** What a kind's rules make of an object, for tests of the rules alone. */
export interface Outcome<T> {
  readonly object: T;
  /** `field: what is wrong with it`. */
  readonly problems: string[];
  readonly warnings: string[];
}

/** When the rules are tried. */
const now = '2030-01-02T03:04:05Z';

type Json = Parameters<ResourceDefinition['schema']['decode']>[0];

function read<T extends ApiObject>(definition: ResourceDefinition<T>, json: unknown): T {
  const { object } = definition.schema.decode(json as Json);
  object.metadata.name ??= 'n';
  if (definition.namespaced) object.metadata.namespace ??= 'default';
  definition.schema.applyDefaults?.(object);
  definition.applyDefaults?.(object);
  return object;
}

const shown = (errors: FieldError[]) => errors.map((error) => `${error.field}: ${describe(error)}`);

export function tryCreate<T extends ApiObject>(definition: ResourceDefinition<T>, json: unknown): Outcome<T> {
  return checkNew(definition, begin(definition, json));
}

/** The same of an object that takes something to be loaded. */
export async function tryCreateLoaded<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  json: unknown,
): Promise<Outcome<T>> {
  const object = begin(definition, json);
  await definition.strategy.load?.(object);
  return checkNew(definition, object);
}

function begin<T extends ApiObject>(definition: ResourceDefinition<T>, json: unknown): T {
  const object = read(definition, json);
  definition.strategy.prepareForCreate?.(object, now);
  return object;
}

function checkNew<T extends ApiObject>(definition: ResourceDefinition<T>, object: T): Outcome<T> {
  const { strategy } = definition;
  const errors = [
    ...validateMetadataForCreate(object.metadata, definition),
    ...(strategy.validate?.(object) ?? []),
  ];
  return { object, problems: shown(errors), warnings: strategy.warningsOnCreate?.(object) ?? [] };
}

export function tryUpdate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource = '',
): Outcome<T> {
  return checkChange(beginChange(definition, oldJson, json, subresource));
}

/** The same of an object that takes something to be loaded. */
export async function tryUpdateLoaded<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource = '',
): Promise<Outcome<T>> {
  const change = beginChange(definition, oldJson, json, subresource);
  await change.rules.load?.(change.object, change.old);
  return checkChange(change);
}

interface Change<T extends ApiObject> {
  readonly rules: UpdateStrategy<T>;
  readonly old: T;
  readonly object: T;
}

function beginChange<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource: string,
): Change<T> {
  const rules: UpdateStrategy<T> = definition.subresources[subresource]?.rules ?? definition.strategy;
  const old = begin(definition, oldJson);
  const object = read(definition, json);
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  rules.prepareForUpdate?.(object, old, now);
  return { rules, old, object };
}

function checkChange<T extends ApiObject>({ rules, old, object }: Change<T>): Outcome<T> {
  return {
    object,
    problems: shown(rules.validateUpdate?.(object, old) ?? []),
    warnings: rules.warningsOnUpdate?.(object, old) ?? [],
  };
}
