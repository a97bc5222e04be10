// ResourceSlice (DRA): the strategy that runs on creates and updates, and the field selectors, in any version.

import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified, validateMetadataChange } from '../../kind/meta/validation.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { deviceStrategy } from './device-strategy.ts';
import type { ResourceSliceSpecV1beta2 } from './resourceslice-v1beta2.ts';
import {
  type AnySlice,
  dropDisabledSliceFields,
  gatedDeviceFields,
  setTaintTimeAdded,
} from './slice-features.ts';
import { validateSlice } from './slice-validation.ts';

/** A ResourceSlice in any version. */
type AnyResourceSlice = ApiObject & { readonly spec: AnySlice };

/** The strategy of one version; `toV1beta2` converts the spec for validation. */
export function sliceStrategy<T extends AnyResourceSlice>(
  context: KindContext,
  schema: Struct<T>,
  toV1beta2: (object: T) => ResourceSliceSpecV1beta2,
): Strategy<T> {
  const { features, dialect } = context;
  const baseStrategy = deviceStrategy(context, schema, (object) => validateSlice(toV1beta2(object)));
  const prepareSpec = (slice: AnySlice, old: AnySlice | undefined, now: string) => {
    dropDisabledSliceFields(slice, old, features);
    for (const { taints = [] } of gatedDeviceFields(slice)) setTaintTimeAdded(taints, now);
  };
  return {
    ...baseStrategy,
    prepareForCreate(object, now) {
      prepareSpec(object.spec, undefined, now);
      baseStrategy.prepareForCreate(object, now);
    },
    prepareForUpdate(object, old, now) {
      prepareSpec(object.spec, old.spec, now);
      baseStrategy.prepareForUpdate(object, old, now);
    },
    validateUpdate: (object, old) => [
      ...validateMetadataChange(object.metadata, old.metadata),
      ...validateFinalizersQualified(object.metadata, dialect),
      ...validateSlice(toV1beta2(object), toV1beta2(old)),
    ],
  };
}

export const selectableSliceFieldNames = ['spec.nodeName', 'spec.driver'];

export function selectableSliceFields({ spec }: AnyResourceSlice): Record<string, string> {
  return { 'spec.nodeName': spec.nodeName ?? '', 'spec.driver': spec.driver };
}
