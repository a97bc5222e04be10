import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LabelSelector } from '../meta/label-selector.ts';

export const operationType = named(
  'admissionregistration/v1.OperationType',
  oneOf('*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
);

export const scopeType = named('admissionregistration/v1.ScopeType', oneOf('Cluster', 'Namespaced', '*'));

export const Rule = struct('admissionregistration/v1.Rule', {
  apiGroups: field(1, list(string, { type: 'atomic' })),
  apiVersions: field(2, list(string, { type: 'atomic' })),
  resources: field(3, list(string, { type: 'atomic' })),
  scope: field(4, optional(scopeType)),
});
export type Rule = Infer<typeof Rule>;

export const RuleWithOperations = struct('admissionregistration/v1.RuleWithOperations', {
  operations: field(1, list(operationType, { type: 'atomic' })),
  ...inline(2, Rule),
});
export type RuleWithOperations = Infer<typeof RuleWithOperations>;

export const matchPolicyType = named(
  'admissionregistration/v1.MatchPolicyType',
  oneOf('Exact', 'Equivalent'),
);

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  {
    resourceNames: field(1, list(string, { type: 'atomic' })),
    ...inline(2, RuleWithOperations),
  },
  { atomic: true },
);
export type NamedRuleWithOperations = Infer<typeof NamedRuleWithOperations>;

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
  {
    namespaceSelector: field(1, optional(LabelSelector)),
    objectSelector: field(2, optional(LabelSelector)),
    resourceRules: field(3, list(NamedRuleWithOperations, { type: 'atomic' })),
    excludeResourceRules: field(4, list(NamedRuleWithOperations, { type: 'atomic' })),
    matchPolicy: field(7, optional(matchPolicyType)),
  },
  { atomic: true },
);
export type MatchResources = Infer<typeof MatchResources>;
