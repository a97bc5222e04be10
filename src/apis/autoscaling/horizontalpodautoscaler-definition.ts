// HorizontalPodAutoscaler v2: resource definition with strategy and subresources. Objects are stored in this version.

import type { KindContext } from '../../kind/context.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from './horizontalpodautoscaler.ts';
import { horizontalPodAutoscalerTable } from './horizontalpodautoscaler-table.ts';
import { validateAutoscalerSpec, validateAutoscalerStatus } from './horizontalpodautoscaler-validation.ts';

export const horizontalpodautoscalers = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, HorizontalPodAutoscaler);
  return resource<HorizontalPodAutoscaler>({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    schema: HorizontalPodAutoscaler,
    table: horizontalPodAutoscalerTable,
    strategy: {
      ...baseStrategy,
      // HorizontalPodAutoscalers have no metadata.generation.
      prepareForCreate(object) {
        object.status = HorizontalPodAutoscalerStatus.zero();
        dropTolerance(object, undefined, context);
      },
      prepareForUpdate(object, old) {
        object.status = old.status;
        dropTolerance(object, old, context);
      },
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateAutoscalerSpec(object.spec, context),
      ],
      validateUpdate: (object, old) => [
        ...baseStrategy.validateUpdate(object, old),
        ...validateAutoscalerSpec(object.spec, context, old.spec),
      ],
    },
    subresources: { status: statusSubresource(context, HorizontalPodAutoscaler, validateAutoscalerStatus) },
  });
};

/** Drops tolerance if HPAConfigurableTolerance is disabled and the old object does not use it. */
function dropTolerance(
  { spec }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  { features }: KindContext,
): void {
  const { scaleUp, scaleDown } = old?.spec.behavior ?? {};
  const wasSet = scaleUp?.tolerance !== undefined || scaleDown?.tolerance !== undefined;
  if (features.enabled('HPAConfigurableTolerance') || wasSet) return;
  delete spec.behavior?.scaleUp?.tolerance;
  delete spec.behavior?.scaleDown?.tolerance;
}
