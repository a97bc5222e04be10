// PodDisruptionBudget, the whole kind: schema, printer columns, resource definition and validation.

import { addErrors, type FieldError, invalid, notSupported } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { Condition } from '../../kind/meta/condition.ts';
import { validateConditions } from '../../kind/meta/condition-rules.ts';
import { validateAtMost100Percent, validateIntOrPercent } from '../../kind/meta/int-or-percent.ts';
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, integer, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { int32, int64, named, publishedEnum, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { validateNonNegativeCounts } from '../apps/status-counts.ts';

const PodDisruptionBudgetSpec = struct(
  'policy/v1.PodDisruptionBudgetSpec',
  {
    minAvailable: field(1, optional(intOrString), {
      doc: 'The number or percentage of pods that must stay available. An eviction that would leave fewer is rejected.',
    }),
    selector: field(2, optional(LabelSelector), {
      patch: 'replace',
      doc: 'Selects the pods. Absent: none. Empty: all pods in the namespace.',
    }),
    maxUnavailable: field(3, optional(intOrString), {
      doc: 'The maximum number or percentage of unavailable pods. Mutually exclusive with minAvailable.',
    }),
    unhealthyPodEvictionPolicy: field(
      4,
      optional(
        named('policy/v1.UnhealthyPodEvictionPolicyType', publishedEnum('IfHealthyBudget', 'AlwaysAllow')),
      ),
      {
        doc: 'When unhealthy pods can be evicted: IfHealthyBudget (default) if enough other pods are healthy, AlwaysAllow at any time.',
      },
    ),
  },
  { doc: 'The specification of a PodDisruptionBudget.' },
);
type PodDisruptionBudgetSpec = Infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = struct(
  'policy/v1.PodDisruptionBudgetStatus',
  {
    observedGeneration: field(1, int64, {
      doc: 'The generation that the counters reflect. The other fields are valid only if it is the current generation.',
    }),
    disruptedPods: field(2, mapOf(time), {
      doc: 'Pods whose eviction was admitted but that are not yet deleted, with the time of the eviction.',
    }),
    disruptionsAllowed: field(3, int32, {
      required: true,
      doc: 'The number of disruptions that are currently allowed.',
    }),
    currentHealthy: field(4, int32, { required: true, doc: 'The current number of healthy pods.' }),
    desiredHealthy: field(5, int32, { required: true, doc: 'The minimum number of healthy pods.' }),
    expectedPods: field(6, int32, { required: true, doc: 'The total number of pods that are counted.' }),
    conditions: field(7, list(Condition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }), {
      doc: 'The observed conditions, such as DisruptionAllowed.',
    }),
  },
  { doc: 'The current status of a PodDisruptionBudget.' },
);
export type PodDisruptionBudgetStatus = Infer<typeof PodDisruptionBudgetStatus>;

export const PodDisruptionBudget = kind(
  'policy/v1.PodDisruptionBudget',
  {
    spec: field(2, PodDisruptionBudgetSpec, { doc: 'The specification of the PodDisruptionBudget.' }),
    status: field(3, PodDisruptionBudgetStatus, {
      doc: 'The most recently observed status of the PodDisruptionBudget.',
    }),
  },
  { doc: 'Limits the number of pods of a set that evictions may make unavailable at the same time.' },
);
export type PodDisruptionBudget = Infer<typeof PodDisruptionBudget>;

const podDisruptionBudgetTable: TableLayout<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column('Min Available', 'The number of pods that must stay available.'),
    column('Max Unavailable', 'The maximum number of unavailable pods.'),
    column('Allowed Disruptions', 'The number of disruptions that are currently allowed.', integer),
    ageColumn,
  ],
  cells(budget, ages) {
    const { spec, status, metadata } = budget;
    return [
      metadata.name ?? '',
      String(spec.minAvailable ?? 'N/A'),
      String(spec.maxUnavailable ?? 'N/A'),
      status.disruptionsAllowed ?? 0,
      age(budget, ages),
    ];
  },
};

export const poddisruptionbudgets = (context: KindContext) => {
  const baseStrategy = plainStrategy(context, PodDisruptionBudget);
  const status = statusSubresource(context, PodDisruptionBudget);
  return resource<PodDisruptionBudget>({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    schema: PodDisruptionBudget,
    maxBytes: maxReconciledBytes,
    table: podDisruptionBudgetTable,
    strategy: {
      ...baseStrategy,
      validateName: nameIsPathSegment,
      allowUnconditionalUpdate: false,
      validatesMetadata: true,
      // Metadata is validated only if the spec is valid, and any path segment is a valid name.
      validate({ metadata, spec }) {
        const errors = validateSpec(spec);
        return errors.length > 0
          ? errors
          : validateMetadata(metadata, { namespaced: true, nameRule: nameIsPathSegment });
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
    const badValue = goStruct('policy.PodDisruptionBudgetSpec', [
      ['MinAvailable', 'intstr.IntOrString', minAvailable],
      ['Selector', 'v1.LabelSelector', selector],
      ['MaxUnavailable', 'intstr.IntOrString', maxUnavailable],
      ['UnhealthyPodEvictionPolicy', 'policy.UnhealthyPodEvictionPolicyType', unhealthyPodEvictionPolicy],
    ]);
    errors.push(invalid('spec', badValue, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value === undefined) continue;
    addErrors(errors, [
      ...validateIntOrPercent(value, `spec.${name}`),
      ...validateAtMost100Percent(value, `spec.${name}`),
    ]);
  }
  addErrors(errors, validateLabelSelector(selector, 'spec.selector'));
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
