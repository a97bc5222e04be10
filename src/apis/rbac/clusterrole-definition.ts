// ClusterRole: the resource definition, with the strategy that runs on writes.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { maxReconciledBytes } from '../../kind/storage/codec.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { type AggregationRule, ClusterRole } from './clusterrole.ts';
import { roleEscalationGuard } from './escalation.ts';
import { validatePolicyRules } from './policy-rule.ts';
import { updateValidation } from './validate-update.ts';

export const clusterroles = ({ dialect }: KindContext) => {
  const validate = ({ metadata, rules, aggregationRule }: ClusterRole) => [
    ...validateFinalizersQualified(metadata, dialect),
    ...validatePolicyRules(rules, { namespaced: false }, dialect.rules),
    ...validateAggregation(aggregationRule),
  ];
  return resource<ClusterRole>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    schema: ClusterRole,
    maxBytes: maxReconciledBytes,
    strategy: {
      validateName: nameIsPathSegment,
      guard: roleEscalationGuard,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      validate,
      validateUpdate: updateValidation(validate, { namespaced: false }, dialect),
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
