// Schema of PriorityLevelConfiguration.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from './condition-status.ts';

export const QueuingConfiguration = struct(
  'flowcontrol/v1.QueuingConfiguration',
  {
    queues: field(1, int32, {
      alwaysWritten: true,
      default: 64,
      doc: 'How many queues there are. One makes fairness between flows impossible.',
    }),
    handSize: field(2, int32, {
      alwaysWritten: true,
      default: 8,
      doc: 'To how many queues a flow is dealt; a request goes to the shortest of them.',
    }),
    queueLengthLimit: field(3, int32, {
      alwaysWritten: true,
      default: 50,
      doc: 'How many requests may wait in one queue before more are refused.',
    }),
  },
  { doc: 'How requests wait.' },
);
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct(
  'flowcontrol/v1.LimitResponse',
  {
    type: field(1, named('flowcontrol/v1.LimitResponseType', oneOf('Queue', 'Reject')), {
      required: true,
      doc: 'Whether a request that cannot be handled at once waits or is refused.',
    }),
    queuing: field(2, optional(QueuingConfiguration), { doc: 'How it waits, where it does.' }),
  },
  {
    doc: 'What becomes of requests that are too many.',
    union: { discriminator: 'type', members: { queuing: 'Queuing' } },
  },
);
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct(
  'flowcontrol/v1.LimitedPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: field(1, optional(int32), {
      alwaysWritten: true,
      default: 30,
      doc: 'Its share of the requests handled at a time, in proportion to that of the other levels. 0 leaves it to what others lend.',
    }),
    limitResponse: field(2, LimitResponse, { doc: 'What becomes of requests that are too many.' }),
    lendablePercent: field(3, optional(int32), {
      default: 0,
      doc: 'How much of its share other levels may borrow while it does not need it, from 0 to 100.',
    }),
    borrowingLimitPercent: field(4, optional(int32), {
      doc: 'How much it may borrow itself, as a part of its share. Without it, there is no limit.',
    }),
  },
  { doc: 'A level whose requests are limited.' },
);
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

const ExemptPriorityLevelConfiguration = struct(
  'flowcontrol/v1.ExemptPriorityLevelConfiguration',
  {
    nominalConcurrencyShares: field(1, optional(int32), {
      default: 0,
      doc: 'What is set aside for it, and lent to others while it is not needed. It does not limit the level.',
    }),
    lendablePercent: field(2, optional(int32), {
      default: 0,
      doc: 'How much of that other levels may borrow, from 0 to 100.',
    }),
  },
  { doc: 'A level whose requests are never held up.' },
);

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1.PriorityLevelConfigurationSpec',
  {
    type: field(1, named('flowcontrol/v1.PriorityLevelEnablement', oneOf('Exempt', 'Limited')), {
      required: true,
      doc: 'Whether its requests are limited. Only the level named exempt is not.',
    }),
    limited: field(2, optional(LimitedPriorityLevelConfiguration), { doc: 'How, where they are limited.' }),
    exempt: field(3, optional(ExemptPriorityLevelConfiguration), {
      doc: 'What is set aside for it, where they are not.',
    }),
  },
  {
    doc: 'How the requests of this level are handled.',
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
      doc: 'Which condition.',
    }),
    status: field(2, conditionStatus, { doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When it last changed.' }),
    reason: field(4, string, { doc: 'Why it changed, in one word for machines.' }),
    message: field(5, string, { doc: 'Why it changed, in words for people.' }),
  },
  { doc: 'How the level is at the moment in one respect.' },
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
      { doc: 'How the level is at the moment.' },
    ),
  },
  { doc: 'How the level is at the moment.' },
);

export const PriorityLevelConfiguration = kind(
  'flowcontrol/v1.PriorityLevelConfiguration',
  {
    spec: field(2, PriorityLevelConfigurationSpec, { doc: 'How its requests are handled.' }),
    status: field(3, PriorityLevelConfigurationStatus, { doc: 'How the level is at the moment.' }),
  },
  { doc: 'A level at which requests are handled, apart from those of other levels.' },
);
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
