import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { finalizersNameTheirOwner } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { roleGuard } from './escalation.ts';
import { PolicyRule, validatePolicyRules } from './policy-rule.ts';
import { validateUpdateOf } from './validate-update.ts';

export const AggregationRule = struct(
  'rbac/v1.AggregationRule',
  {
    clusterRoleSelectors: field(1, list(LabelSelector, { type: 'atomic' }), {
      doc: 'The roles to gather from: those that any of the selectors selects.',
    }),
  },
  { doc: 'Where a role gathers its rules from.' },
);
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac/v1.ClusterRole',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'All that it allows. A role that gathers its rules has them overwritten.',
    }),
    aggregationRule: field(3, optional(AggregationRule), {
      doc: 'Gathers the rules of other roles into this one.',
    }),
  },
  {
    doc: 'Permissions for a ClusterRoleBinding to give for the whole cluster, or a RoleBinding for one namespace.',
  },
);
export type ClusterRole = Infer<typeof ClusterRole>;

export const clusterroles = ({ dialect }: KindContext) => {
  const validate = ({ metadata, rules, aggregationRule }: ClusterRole) => [
    ...finalizersNameTheirOwner(metadata, dialect),
    ...validatePolicyRules(rules, false, dialect.rules),
    ...validateAggregation(aggregationRule),
  ];
  return resource<ClusterRole>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    schema: ClusterRole,
    strategy: {
      validateName: nameIsPathSegment,
      guard: roleGuard,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate,
      validateUpdate: validateUpdateOf(validate, false, dialect),
    },
  });
};

function validateAggregation(rule: AggregationRule | undefined): FieldError[] {
  if (!rule) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors: selectors = [] } = rule;
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, i) => {
    const errors = validateLabelSelector(selector, `${path}[${i}]`);
    if (errors.length === 0) return [];
    return [...errors, invalid(`${path}[${i}]`, 'null', 'invalid label selector.')];
  });
}
