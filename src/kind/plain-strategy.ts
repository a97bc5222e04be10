// Strategies that most kinds share: a spec that clients write, and a status subresource.

import type { FieldError } from '../errors/field-error.ts';
import { nameIsSubdomain } from '../schema/names.ts';
import { isSemanticallyEqual } from '../schema/semantic-equality.ts';
import type { Struct } from '../schema/struct.ts';
import type { ApiObject } from './api-object.ts';
import type { KindContext } from './context.ts';
import type { Subresource } from './definition.ts';
import { resetObjectMetaForStatus } from './meta/reset-object-meta.ts';
import { validateFinalizersQualified, validateMetadataChange } from './meta/validation.ts';
import type { Strategy } from './strategy.ts';

/** The shared strategy with every hook present, so that a kind can call it from its own hooks. */
export type PlainStrategy<T extends ApiObject> = Strategy<T> &
  Required<Pick<Strategy<T>, 'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate'>>;

/**
 * Create clears the status, update keeps it and bumps the generation when the spec changes.
 * `dropDisabled` clears fields whose feature gate is off, unless the old object uses them.
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
      if (status) setOrDelete(object, 'status', status.optional ? undefined : status.type.zero());
      if (spec && status) object.metadata.generation = 1;
      dropDisabled(object);
    },
    // Fields that managedFields leave out, because prepareForUpdate restores them.
    ...(status && { resetFields: ['status'] }),
    prepareForUpdate(object, old) {
      if (status) setOrDelete(object, 'status', old.status);
      dropDisabled(object, old);
      if (spec && status && !isSameSpec(schema, object, old)) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    validate: ({ metadata }) => validateFinalizersQualified(metadata, dialect),
    validateUpdate: ({ metadata }, old) => [
      ...validateMetadataChange(metadata, old.metadata),
      ...validateFinalizersQualified(metadata, dialect),
    ],
  };
}

/** The `status` subresource: an update changes the status and the metadata, and keeps all other fields. */
export function statusSubresource<T extends ApiObject>(
  { dialect }: KindContext,
  schema: Struct<T>,
  validateStatus: (object: T, old: T) => FieldError[] = () => [],
): Subresource<T> {
  const restoredFields = Object.keys(schema.fields).filter(
    (field) => !['kind', 'apiVersion', 'metadata', 'status'].includes(field),
  );
  return {
    verbs: ['get', 'patch', 'update'],
    rules: {
      resetFields: restoredFields,
      prepareForUpdate(object, old) {
        for (const field of restoredFields) setOrDelete(object, field, old[field]);
      },
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateStatus(object, old),
      ],
    },
  };
}

/** The `status` subresource of newer kinds: an update keeps the metadata too. */
export function statusSubresourceKeepingMetadata<T extends ApiObject>(
  context: KindContext,
  schema: Struct<T>,
  validateStatus?: (object: T, old: T) => FieldError[],
): Subresource<T> {
  const { verbs, rules = {} } = statusSubresource(context, schema);
  return {
    verbs,
    rules: {
      ...rules,
      resetFields: ['metadata', ...(rules.resetFields ?? [])],
      prepareForUpdate(object, old, now) {
        rules.prepareForUpdate?.(object, old, now);
        resetObjectMetaForStatus(object.metadata, old.metadata);
      },
      ...(validateStatus && { validateUpdate: validateStatus }),
    },
  };
}

export function isSameSpec<T extends ApiObject>(schema: Struct<T>, a: T, b: T): boolean {
  return isSemanticallyEqual(schema.fields.spec!.type, a.spec, b.spec);
}

/** Sets a field, or deletes it if the value is undefined. */
function setOrDelete(object: ApiObject, field: string, value: unknown): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
