// PriorityLevelConfiguration: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';

export const QueuingConfiguration = struct(
  'flowcontrol/v1.QueuingConfiguration',
  {
    queues: field(1, int32, {
      omitEmpty: false,
      default: 64,
      doc: 'The number of queues. With one queue there is no fairness between flows.',
    }),
    handSize: field(2, int32, {
      omitEmpty: false,
      default: 8,
      doc: 'The number of queues that shuffle sharding assigns to a flow. A request joins the shortest of them.',
    }),
    queueLengthLimit: field(3, int32, {
      omitEmpty: false,
      default: 50,
      doc: 'The maximum number of waiting requests in one queue. Further requests are rejected.',
    }),
  },
  { doc: 'The queues of a priority level.' },
);
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct(
  'flowcontrol/v1.LimitResponse',
  {
    type: field(1, named('flowcontrol/v1.LimitResponseType', openEnum('Queue', 'Reject')), {
      required: true,
      doc: 'Whether a request that exceeds the concurrency limit waits (Queue) or is rejected (Reject).',
    }),
    queuing: field(2, optional(QueuingConfiguration), { doc: 'The queues, for type Queue.' }),
  },
  {
    doc: 'How requests that exceed the concurrency limit are handled.',
    union: { discriminator: 'type', members: { queuing: 'Queuing' } },
  },
);
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol/v1.LimitedPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: field(1, optional(int32), {
      omitEmpty: false,
      default: 30,
      doc: "The level's share of the server's concurrency limit, relative to the other levels. With 0 it can only borrow.",
    }),
    limitResponse: field(2, LimitResponse, {
      doc: 'How requests that exceed the concurrency limit are handled.',
    }),
    lendablePercent: field(3, optional(int32), {
      default: 0,
      doc: "The percentage of the level's seats that other levels can borrow, 0 to 100.",
    }),
    borrowingLimitPercent: field(4, optional(int32), {
      doc: 'The number of seats that the level can borrow, in percent of its own seats. Absent: unlimited.',
    }),
  },
  { doc: 'A priority level with a concurrency limit.' },
);
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

const ExemptPriorityLevelConfiguration = struct(
  'flowcontrol/v1.ExemptPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: field(1, optional(int32), {
      default: 0,
      doc: "The share of the server's concurrency limit that is reserved for the level and lent while unused. It does not limit the level.",
    }),
    lendablePercent: field(2, optional(int32), {
      default: 0,
      doc: 'The percentage of the reserved seats that other levels can borrow, 0 to 100.',
    }),
  },
  { doc: 'A priority level without a concurrency limit.' },
);

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1.PriorityLevelConfigurationSpec',
  {
    type: field(1, named('flowcontrol/v1.PriorityLevelEnablement', openEnum('Exempt', 'Limited')), {
      required: true,
      doc: 'Limited or Exempt. Only the level named exempt is Exempt.',
    }),
    limited: field(2, optional(LimitedPriorityLevelConfiguration), {
      doc: 'The configuration for type Limited.',
    }),
    exempt: field(3, optional(ExemptPriorityLevelConfiguration), {
      doc: 'The configuration for type Exempt.',
    }),
  },
  {
    doc: 'The specification of a PriorityLevelConfiguration.',
    union: { discriminator: 'type', members: { exempt: 'Exempt', limited: 'Limited' } },
    defaults(spec) {
      if (spec.type === 'Exempt') spec.exempt ??= { nominalConcurrencyShares: 0, lendablePercent: 0 };
    },
  },
);
export type PriorityLevelConfigurationSpec = Infer<typeof PriorityLevelConfigurationSpec>;

const PriorityLevelConfigurationCondition = struct(
  'flowcontrol/v1.PriorityLevelConfigurationCondition',
  {
    type: field(1, named('flowcontrol/v1.PriorityLevelConfigurationConditionType', string), {
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a PriorityLevelConfiguration.' },
);

const PriorityLevelConfigurationStatus = struct(
  'flowcontrol/v1.PriorityLevelConfigurationStatus',
  {
    conditions: field(
      1,
      list(PriorityLevelConfigurationCondition, {
        type: 'map',
        keys: ['type'],
        patch: 'merge',
        patchKey: 'type',
      }),
      { doc: 'The observed conditions of the priority level.' },
    ),
  },
  { doc: 'The current status of a PriorityLevelConfiguration.' },
);

export const PriorityLevelConfiguration = kind(
  'flowcontrol/v1.PriorityLevelConfiguration',
  {
    spec: field(2, PriorityLevelConfigurationSpec, { doc: 'The specification of the priority level.' }),
    status: field(3, PriorityLevelConfigurationStatus, { doc: 'The current status of the priority level.' }),
  },
  { doc: 'A priority level, whose requests are isolated from those of other levels.' },
);
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
