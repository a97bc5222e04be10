// DRA (dynamic resource allocation): the strategy of the cluster-scoped kinds, DeviceClass, DeviceTaintRule and
// ResourceSlice.

import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { isSameSpec, type PlainStrategy, plainStrategy } from '../../kind/plain-strategy.ts';
import type { Struct } from '../../schema/struct.ts';

/** A strategy for kinds with a spec that determines metadata.generation and without a status. */
export function deviceStrategy<T extends ApiObject>(
  context: KindContext,
  schema: Struct<T>,
  validateSpec: (object: T) => FieldError[],
): PlainStrategy<T> {
  const baseStrategy = plainStrategy(context, schema);
  return {
    ...baseStrategy,
    deleteReturnsObject: true,
    prepareForCreate(object: ApiObject) {
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (isSameSpec(schema, object, old)) return;
      (object as ApiObject).metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: (object) => [...baseStrategy.validate(object), ...validateSpec(object)],
    validateUpdate: (object, old) => [...baseStrategy.validateUpdate(object, old), ...validateSpec(object)],
  };
}
