// The strategy that all kinds of admissionregistration share.

import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { Struct } from '../../schema/struct.ts';

/**
 * A change of `field` increments the generation, also where the kind has no status; updates require a resourceVersion;
 * finalizers may have any name. `load`: loads CEL before `check` runs, which is synchronous.
 */
export function registrationStrategy<T extends ApiObject>(
  schema: Struct<T>,
  field: 'spec' | 'webhooks',
  check: (object: T, old?: T) => FieldError[],
  load?: (object: T) => Promise<void> | undefined,
): Strategy<T> {
  const { status } = schema.fields;
  const encodeField = (object: ApiObject) => {
    const value = object[field];
    return value === undefined || value === null ? '' : schema.fields[field]!.type.write(value);
  };
  return {
    validateName: nameIsSubdomain,
    prepareForCreate(object: ApiObject) {
      if (status) object.status = status.type.zero();
      object.metadata.generation = 1;
    },
    ...(status && { resetFields: ['status'] }),
    prepareForUpdate(object: ApiObject, old: ApiObject) {
      if (status) object.status = old.status;
      if (encodeField(object) !== encodeField(old))
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    ...(load && { load }),
    validate: (object) => check(object),
    validateUpdate: (object, old) => [
      ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
      ...check(object, old),
    ],
  };
}
