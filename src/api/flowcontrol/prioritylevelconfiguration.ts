import { list } from '../../schema/collections.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { conditionStatus } from './condition-status.ts';

export const QueuingConfiguration = struct('flowcontrol/v1.QueuingConfiguration', {
  queues: field(1, int32, { alwaysWritten: true }),
  handSize: field(2, int32, { alwaysWritten: true }),
  queueLengthLimit: field(3, int32, { alwaysWritten: true }),
});
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct('flowcontrol/v1.LimitResponse', {
  type: field(1, named('flowcontrol/v1.LimitResponseType', oneOf('Queue', 'Reject')), { required: true }),
  queuing: field(2, optional(QueuingConfiguration)),
});
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct('flowcontrol/v1.LimitedPriorityLevelConfiguration', {
  nominalConcurrencyShares: field(1, optional(int32), { alwaysWritten: true }),
  limitResponse: field(2, LimitResponse),
  lendablePercent: field(3, optional(int32)),
  borrowingLimitPercent: field(4, optional(int32)),
});
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

export const ExemptPriorityLevelConfiguration = struct('flowcontrol/v1.ExemptPriorityLevelConfiguration', {
  nominalConcurrencyShares: field(1, optional(int32)),
  lendablePercent: field(2, optional(int32)),
});
export type ExemptPriorityLevelConfiguration = Infer<typeof ExemptPriorityLevelConfiguration>;

export const PriorityLevelConfigurationSpec = struct('flowcontrol/v1.PriorityLevelConfigurationSpec', {
  type: field(1, named('flowcontrol/v1.PriorityLevelEnablement', oneOf('Exempt', 'Limited')), {
    required: true,
  }),
  limited: field(2, optional(LimitedPriorityLevelConfiguration)),
  exempt: field(3, optional(ExemptPriorityLevelConfiguration)),
});
export type PriorityLevelConfigurationSpec = Infer<typeof PriorityLevelConfigurationSpec>;

export const PriorityLevelConfigurationCondition = struct(
  'flowcontrol/v1.PriorityLevelConfigurationCondition',
  {
    type: field(1, named('flowcontrol/v1.PriorityLevelConfigurationConditionType', string)),
    status: field(2, conditionStatus),
    lastTransitionTime: field(3, time),
    reason: field(4, string),
    message: field(5, string),
  },
);
export type PriorityLevelConfigurationCondition = Infer<typeof PriorityLevelConfigurationCondition>;

export const PriorityLevelConfigurationStatus = struct('flowcontrol/v1.PriorityLevelConfigurationStatus', {
  conditions: field(
    1,
    list(PriorityLevelConfigurationCondition, {
      type: 'map',
      keys: ['type'],
      patch: 'merge',
      patchKey: 'type',
    }),
  ),
});
export type PriorityLevelConfigurationStatus = Infer<typeof PriorityLevelConfigurationStatus>;

export const PriorityLevelConfiguration = kind(
  'flowcontrol/v1.PriorityLevelConfiguration',
  {
    spec: field(2, PriorityLevelConfigurationSpec),
    status: field(3, PriorityLevelConfigurationStatus),
  },
  { doc: '' },
);
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;

export const prioritylevelconfigurations = (context: KindContext) =>
  resource<PriorityLevelConfiguration>({
    group: 'flowcontrol.apiserver',
    version: 'v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    schema: PriorityLevelConfiguration,
    strategy: plainStrategy(context, PriorityLevelConfiguration),
    subresources: { status: statusOf(context, PriorityLevelConfiguration) },
  });
