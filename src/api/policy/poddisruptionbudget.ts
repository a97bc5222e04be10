import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, named, oneOf } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { Condition } from '../meta/condition.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const PodDisruptionBudgetSpec = struct('policy/v1.PodDisruptionBudgetSpec', {
  minAvailable: field(1, optional(intOrString)),
  selector: field(2, optional(LabelSelector), { patch: 'replace' }),
  maxUnavailable: field(3, optional(intOrString)),
  unhealthyPodEvictionPolicy: field(
    4,
    optional(named('policy/v1.UnhealthyPodEvictionPolicyType', oneOf('IfHealthyBudget', 'AlwaysAllow'))),
  ),
});
export type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct('policy/v1.PodDisruptionBudgetStatus', {
  observedGeneration: field(1, int64),
  disruptedPods: field(2, mapOf(time)),
  disruptionsAllowed: field(3, int32, { required: true }),
  currentHealthy: field(4, int32, { required: true }),
  desiredHealthy: field(5, int32, { required: true }),
  expectedPods: field(6, int32, { required: true }),
  conditions: field(7, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' })),
});
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = kind(
  'policy/v1.PodDisruptionBudget',
  {
    spec: field(2, PodDisruptionBudgetSpec),
    status: field(3, PodDisruptionBudgetStatus),
  },
  { doc: '' },
);
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;

export const poddisruptionbudgets = (context: KindContext) =>
  resource<PodDisruptionBudget>({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    schema: PodDisruptionBudget,
    strategy: plainStrategy(context, PodDisruptionBudget),
    subresources: { status: statusOf(context, PodDisruptionBudget) },
  });
