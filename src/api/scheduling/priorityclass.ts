import { bool, int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { preemptionPolicy } from '../core/preemption-policy.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const PriorityClass = kind(
  'scheduling/v1.PriorityClass',
  {
    value: field(2, int32, { required: true }),
    globalDefault: field(3, bool),
    description: field(4, string),
    preemptionPolicy: field(5, optional(preemptionPolicy)),
  },
  { doc: '' },
);
export type PriorityClass = Infer<typeof PriorityClass>;

export const priorityclasses = (context: KindContext) =>
  resource<PriorityClass>({
    group: 'scheduling',
    version: 'v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    namespaced: false,
    schema: PriorityClass,
    strategy: plainStrategy(context, PriorityClass),
  });
