import type { FieldError } from '../errors/field-error.ts';
import { nameIsSubdomain } from '../schema/names.ts';
import { isSame } from '../schema/same.ts';
import type { Struct } from '../schema/struct.ts';
import type { ApiObject } from './api-object.ts';
import type { KindContext } from './context.ts';
import type { Subresource } from './definition.ts';
import { keepMetadata } from './meta/kept-metadata.ts';
import { finalizersNameTheirOwner, validateMetadataChange } from './meta/validation.ts';
import type { Strategy } from './strategy.ts';

/** The rules that most kinds begin with, there to be called by those that add to them. */
export type PlainStrategy<T extends ApiObject> = Strategy<T> &
  Required<Pick<Strategy<T>, 'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate'>>;

/**
 * What most kinds have in common when they are written: a spec that users write, a status that they do not.
 * `dropDisabled` takes out what this server does not have switched on, unless it was in the old object.
 */
export function plainStrategy<T extends ApiObject>(
  { dialect }: KindContext,
  schema: Struct<T>,
  dropDisabled: (object: T, old?: T) => void = () => {},
): PlainStrategy<T> {
  const { spec, status } = schema.fields;
  return {
    validateName: nameIsSubdomain,
    allowUnconditionalUpdate: true,
    prepareForCreate(object) {
      if (status) reset(object, 'status', status.optional ? undefined : status.type.zero());
      if (spec && status) object.metadata.generation = 1;
      dropDisabled(object);
    },
    ...(status && { untracked: ['status'] }),
    prepareForUpdate(object, old) {
      if (status) reset(object, 'status', old.status);
      dropDisabled(object, old);
      if (spec && status && !isSameSpec(schema, object, old)) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    validate: ({ metadata }) => finalizersNameTheirOwner(metadata, dialect),
    validateUpdate: ({ metadata }, old) => [
      ...validateMetadataChange(metadata, old.metadata),
      ...finalizersNameTheirOwner(metadata, dialect),
    ],
  };
}

/** The `status` subresource: it writes the status, which `check` looks at, and leaves everything else as it is. */
export function statusOf<T extends ApiObject>(
  { dialect }: KindContext,
  schema: Struct<T>,
  check: (object: T, old: T) => FieldError[] = () => [],
): Subresource<T> {
  const kept = Object.keys(schema.fields).filter(
    (field) => !['kind', 'apiVersion', 'metadata', 'status'].includes(field),
  );
  return {
    verbs: ['get', 'patch', 'update'],
    rules: {
      untracked: kept,
      prepareForUpdate(object, old) {
        for (const field of kept) reset(object, field, old[field]);
      },
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...finalizersNameTheirOwner(object.metadata, dialect),
        ...check(object, old),
      ],
    },
  };
}

/** The `status` subresource of newer kinds: the metadata stays as it was, too. */
export function onlyStatusOf<T extends ApiObject>(
  context: KindContext,
  schema: Struct<T>,
  check?: (object: T, old: T) => FieldError[],
): Subresource<T> {
  const { verbs, rules = {} } = statusOf(context, schema);
  return {
    verbs,
    rules: {
      ...rules,
      untracked: ['metadata', ...(rules.untracked ?? [])],
      prepareForUpdate(object, old, now) {
        rules.prepareForUpdate?.(object, old, now);
        keepMetadata(object.metadata, old.metadata);
      },
      ...(check && { validateUpdate: check }),
    },
  };
}

/** Whether two objects of a kind have the same spec. */
export function isSameSpec<T extends ApiObject>(schema: Struct<T>, one: T, other: T): boolean {
  return isSame(schema.fields.spec!.type, one.spec, other.spec);
}

function reset(object: ApiObject, field: string, value: unknown): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
