// PodDisruptionBudget: schema, strategy, validation and printer columns.

import { type FieldError, invalid, notSupported } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { Condition } from '../../kind/meta/condition.ts';
import { validateConditions } from '../../kind/meta/condition-rules.ts';
import { validateAtMost100Percent, validateIntOrPercent } from '../../kind/meta/int-or-percent.ts';
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy, statusOf } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { documentedEnum, int32, int64, named } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { validateNonNegativeCounts } from '../apps/status-counts.ts';

const PodDisruptionBudgetSpec = struct(
  'policy/v1.PodDisruptionBudgetSpec',
  {
    minAvailable: field(1, optional(intOrString), {
      doc: 'How many of the pods must stay, or what share of all. An eviction that would leave fewer is refused.',
    }),
    selector: field(2, optional(LabelSelector), {
      patch: 'replace',
      doc: 'Which pods it is about. Left out, none; empty, all of the namespace.',
    }),
    maxUnavailable: field(3, optional(intOrString), {
      doc: 'How many of the pods may be missing, or what share of all. Not together with minAvailable.',
    }),
    unhealthyPodEvictionPolicy: field(
      4,
      optional(
        named('policy/v1.UnhealthyPodEvictionPolicyType', documentedEnum('IfHealthyBudget', 'AlwaysAllow')),
      ),
      {
        doc: 'When pods that are not ready may be evicted: IfHealthyBudget, the default, while enough others are ready; AlwaysAllow at any time.',
      },
    ),
  },
  { doc: 'What must be left of a set of pods.' },
);
type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct(
  'policy/v1.PodDisruptionBudgetStatus',
  {
    observedGeneration: field(1, int64, {
      doc: 'The generation that the counts are for. They count for nothing while it is not the newest.',
    }),
    disruptedPods: field(2, mapOf(time), {
      doc: 'Pods whose eviction was allowed and that are not gone yet, with the time it was.',
    }),
    disruptionsAllowed: field(3, int32, { required: true, doc: 'How many pods may be evicted right now.' }),
    currentHealthy: field(4, int32, { required: true, doc: 'How many of the pods are ready.' }),
    desiredHealthy: field(5, int32, { required: true, doc: 'How many of them must be.' }),
    expectedPods: field(6, int32, { required: true, doc: 'How many pods there should be in all.' }),
    conditions: field(7, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }), {
      doc: 'Whether evictions are allowed, and why not.',
    }),
  },
  { doc: 'How much disruption a set of pods can take right now.' },
);
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = kind(
  'policy/v1.PodDisruptionBudget',
  {
    spec: field(2, PodDisruptionBudgetSpec, { doc: 'What must be left.' }),
    status: field(3, PodDisruptionBudgetStatus, { doc: 'How much can be taken right now.' }),
  },
  { doc: 'How many pods of a set may be missing at once because somebody evicts them.' },
);
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;

const podDisruptionBudgetTable: TableLayout<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must stay available.'),
    column('Max Unavailable', 'How many may be unavailable.'),
    column('Allowed Disruptions', 'How many may be evicted now.', integer),
    ageColumn,
  ],
  cells(budget, now) {
    const { spec, status, metadata } = budget;
    return [
      metadata.name ?? '',
      String(spec.minAvailable ?? 'N/A'),
      String(spec.maxUnavailable ?? 'N/A'),
      status.disruptionsAllowed ?? 0,
      age(budget, now),
    ];
  },
};

export const poddisruptionbudgets = (context: KindContext) => {
  const plain = plainStrategy(context, PodDisruptionBudget);
  const status = statusOf(context, PodDisruptionBudget);
  return resource<PodDisruptionBudget>({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    schema: PodDisruptionBudget,
    table: podDisruptionBudgetTable,
    strategy: {
      ...plain,
      validateName: nameIsPathSegment,
      allowUnconditionalUpdate: false,
      validatesMetadata: true,
      // Metadata is validated only if the spec is valid, and any path segment is a valid name.
      validate({ metadata, spec }) {
        const errors = validateSpec(spec);
        return errors.length > 0 ? errors : validateMetadata(metadata, true, nameIsPathSegment);
      },
      validateUpdate: ({ spec }) => validateSpec(spec),
    },
    subresources: {
      status: { ...status, rules: { ...status.rules, validateUpdate: validateStatus } },
    },
  });
};

function validateSpec(spec: PodDisruptionBudgetSpec): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = goStruct('policy.PodDisruptionBudgetSpec', [
      ['MinAvailable', 'intstr.IntOrString', minAvailable],
      ['Selector', 'v1.LabelSelector', selector],
      ['MaxUnavailable', 'intstr.IntOrString', maxUnavailable],
      ['UnhealthyPodEvictionPolicy', 'policy.UnhealthyPodEvictionPolicyType', unhealthyPodEvictionPolicy],
    ]);
    errors.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value === undefined) continue;
    errors.push(
      ...validateIntOrPercent(value, `spec.${name}`),
      ...validateAtMost100Percent(value, `spec.${name}`),
    );
  }
  errors.push(...validateLabelSelector(selector, 'spec.selector'));
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (unhealthyPodEvictionPolicy !== undefined && !policies.includes(unhealthyPodEvictionPolicy)) {
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, policies));
  }
  return errors;
}

function validateStatus({ status }: PodDisruptionBudget): FieldError[] {
  return [
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...validateNonNegativeCounts(status, [
      'disruptionsAllowed',
      'currentHealthy',
      'desiredHealthy',
      'expectedPods',
    ]),
  ];
}
