// HorizontalPodAutoscaler v1: resource definition, on top of v2's strategy.

import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import type { UpdateStrategy } from '../../kind/strategy.ts';
import type { HorizontalPodAutoscaler } from './horizontalpodautoscaler.ts';
import { horizontalpodautoscalers } from './horizontalpodautoscaler-definition.ts';
import { horizontalPodAutoscalerTable } from './horizontalpodautoscaler-table.ts';
import { HorizontalPodAutoscalerV1 } from './horizontalpodautoscaler-v1.ts';
import { fromV2, toV2 } from './horizontalpodautoscaler-v1-conversion.ts';

export const horizontalpodautoscalersV1 = (context: KindContext) => {
  const v2 = horizontalpodautoscalers(context);
  const { strategy, subresources } = v2;
  const { dialect } = context;
  const convertToV2 = (object: HorizontalPodAutoscalerV1) => toV2(object, dialect);

  /** Runs v2's strategy on the converted object, because it validates more than v1 has fields for. */
  const adaptToV1 = (
    rules: UpdateStrategy<HorizontalPodAutoscaler>,
  ): UpdateStrategy<HorizontalPodAutoscalerV1> => ({
    ...(rules.resetFields && { resetFields: rules.resetFields }),
    prepareForUpdate(object, old, now) {
      const v2Object = convertToV2(object);
      rules.prepareForUpdate?.(v2Object, convertToV2(old), now);
      overwrite(object, fromV2(v2Object, dialect));
    },
    validateUpdate: (object, old) => rules.validateUpdate?.(convertToV2(object), convertToV2(old)) ?? [],
  });

  return resource<HorizontalPodAutoscalerV1>({
    group: 'autoscaling',
    version: 'v1',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    schema: HorizontalPodAutoscalerV1,
    table: horizontalPodAutoscalerTable,
    conversion: {
      storedVersion: { group: 'autoscaling', version: 'v2' },
      fromStored: (stored) => fromV2(stored as HorizontalPodAutoscaler & ApiObject, dialect),
      toStored: convertToV2,
    },
    // Applies v2's defaults.
    applyDefaults: (object) => overwrite(object, fromV2(convertToV2(object), dialect)),
    strategy: {
      ...adaptToV1(strategy),
      validateName: strategy.validateName,
      allowUnconditionalUpdate: true,
      prepareForCreate(object, now) {
        const v2Object = convertToV2(object);
        strategy.prepareForCreate?.(v2Object, now);
        overwrite(object, fromV2(v2Object, dialect));
      },
      validate: (object) => strategy.validate?.(convertToV2(object)) ?? [],
    },
    subresources: { status: { ...subresources.status!, rules: adaptToV1(subresources.status?.rules ?? {}) } },
  });
};

/** Overwrites the object in place, because callers keep references to it. */
function overwrite(object: HorizontalPodAutoscalerV1, source: HorizontalPodAutoscalerV1): void {
  Object.assign(object, source);
}
