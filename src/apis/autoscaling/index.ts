// API group autoscaling: its resource definitions.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { horizontalpodautoscalers } from './horizontalpodautoscaler-definition.ts';
import { horizontalpodautoscalersV1 } from './horizontalpodautoscaler-v1-definition.ts';

export const autoscalingKinds = (context: KindContext): ResourceDefinition[] => [
  horizontalpodautoscalers(context),
  horizontalpodautoscalersV1(context),
];
