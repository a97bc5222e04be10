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
  const asV2 = (object: HorizontalPodAutoscalerV1) => toV2(object, dialect);

  /** Runs v2's strategy on the converted object, because it validates more than v1 has fields for. */
  const inV1 = (
    rules: UpdateStrategy<HorizontalPodAutoscaler>,
  ): UpdateStrategy<HorizontalPodAutoscalerV1> => ({
    ...(rules.untracked && { untracked: rules.untracked }),
    prepareForUpdate(object, old, now) {
      const inV2 = asV2(object);
      rules.prepareForUpdate?.(inV2, asV2(old), now);
      overwrite(object, fromV2(inV2, dialect));
    },
    validateUpdate: (object, old) => rules.validateUpdate?.(asV2(object), asV2(old)) ?? [],
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
      toStored: asV2,
    },
    // Applies v2's defaults.
    applyDefaults: (object) => overwrite(object, fromV2(asV2(object), dialect)),
    strategy: {
      ...inV1(strategy),
      validateName: strategy.validateName,
      allowUnconditionalUpdate: true,
      prepareForCreate(object, now) {
        const inV2 = asV2(object);
        strategy.prepareForCreate?.(inV2, now);
        overwrite(object, fromV2(inV2, dialect));
      },
      validate: (object) => strategy.validate?.(asV2(object)) ?? [],
    },
    subresources: { status: { ...subresources.status!, rules: inV1(subresources.status?.rules ?? {}) } },
  });
};

/** Overwrites the object in place, because callers keep references to it. */
function overwrite(object: HorizontalPodAutoscalerV1, other: HorizontalPodAutoscalerV1): void {
  Object.assign(object, other);
}
