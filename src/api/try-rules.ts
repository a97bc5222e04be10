import { describe, type FieldError } from '../errors/field-error.ts';
import type { ApiObject, ResourceDefinition, UpdateRules } from '../resource/definition.ts';
import { validateMetadataForCreate } from './meta/validation.ts';

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
  const { strategy } = definition;
  const object = read(definition, json);
  strategy.prepareForCreate?.(object, now);
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
  const rules: UpdateRules<T> = definition.subresources[subresource]?.rules ?? definition.strategy;
  const old = tryCreate(definition, oldJson).object;
  const object = read(definition, json);
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  rules.prepareForUpdate?.(object, old, now);
  return {
    object,
    problems: shown(rules.validateUpdate?.(object, old) ?? []),
    warnings: rules.warningsOnUpdate?.(object, old) ?? [],
  };
}
