// Test helper: runs a kind's create or update strategy on JSON, without a server.

import { type FieldError, fieldErrorBody } from '../errors/field-error.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { validateMetadataForCreate } from '../kind/meta/validation.ts';
import type { UpdateStrategy } from '../kind/strategy.ts';

/** The object after the strategy's prepare hooks, with validation errors and warnings. */
export interface StrategyResult<T> {
  readonly object: T;
  /** Validation errors as `field: message`. */
  readonly problems: string[];
  readonly warnings: string[];
}

/** The current time that strategies get. */
const now = '2030-01-02T03:04:05Z';

type Json = Parameters<ResourceDefinition['schema']['decode']>[0];

function decodeWithDefaults<T extends ApiObject>(definition: ResourceDefinition<T>, json: unknown): T {
  const { object } = definition.schema.decode(json as Json);
  object.metadata.name ??= 'n';
  if (definition.namespaced) object.metadata.namespace ??= 'default';
  definition.schema.applyDefaults?.(object);
  definition.applyDefaults?.(object);
  return object;
}

const formatErrors = (errors: FieldError[]) =>
  errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);

export function tryCreate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  json: unknown,
): StrategyResult<T> {
  return validateCreate(definition, prepareCreate(definition, json));
}

/** For strategies with an asynchronous `load` hook. */
export async function tryCreateLoaded<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  json: unknown,
): Promise<StrategyResult<T>> {
  const object = prepareCreate(definition, json);
  await definition.strategy.load?.(object);
  return validateCreate(definition, object);
}

function prepareCreate<T extends ApiObject>(definition: ResourceDefinition<T>, json: unknown): T {
  const object = decodeWithDefaults(definition, json);
  definition.strategy.prepareForCreate?.(object, now);
  return object;
}

function validateCreate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  object: T,
): StrategyResult<T> {
  const { strategy } = definition;
  const errors = [
    ...validateMetadataForCreate(object.metadata, definition),
    ...(strategy.validate?.(object) ?? []),
  ];
  return { object, problems: formatErrors(errors), warnings: strategy.warningsOnCreate?.(object) ?? [] };
}

export function tryUpdate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource = '',
): StrategyResult<T> {
  return validateUpdate(prepareUpdate(definition, oldJson, json, subresource));
}

/** For strategies with an asynchronous `load` hook. */
export async function tryUpdateLoaded<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource = '',
): Promise<StrategyResult<T>> {
  const change = prepareUpdate(definition, oldJson, json, subresource);
  await change.rules.load?.(change.object, change.old);
  return validateUpdate(change);
}

interface PreparedUpdate<T extends ApiObject> {
  readonly rules: UpdateStrategy<T>;
  readonly old: T;
  readonly object: T;
}

function prepareUpdate<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  oldJson: unknown,
  json: unknown,
  subresource: string,
): PreparedUpdate<T> {
  const rules: UpdateStrategy<T> = definition.subresources[subresource]?.rules ?? definition.strategy;
  const old = prepareCreate(definition, oldJson);
  const object = decodeWithDefaults(definition, json);
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  rules.prepareForUpdate?.(object, old, now);
  return { rules, old, object };
}

function validateUpdate<T extends ApiObject>({ rules, old, object }: PreparedUpdate<T>): StrategyResult<T> {
  return {
    object,
    problems: formatErrors(rules.validateUpdate?.(object, old) ?? []),
    warnings: rules.warningsOnUpdate?.(object, old) ?? [],
  };
}
