// The schemas of RuleWithOperations, NamedRuleWithOperations and MatchResources.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';

const operationType = named(
  'admissionregistration/v1.OperationType',
  documentedEnum('*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
);

const scopeType = named('admissionregistration/v1.ScopeType', oneOf('Cluster', 'Namespaced', '*'));

const words = list(string, { type: 'atomic' });

const Rule = struct(
  'admissionregistration/v1.Rule',
  {
    apiGroups: field(1, words, { doc: 'The groups; `*` is all of them and stands alone.' }),
    apiVersions: field(2, words, { doc: 'The versions; `*` is all of them and stands alone.' }),
    resources: field(3, words, {
      doc: 'The resources: `pods`, `pods/log`, `pods/*` (all below pods), `*/scale` (of any), `*` (all, nothing below), `*/*` (all).',
    }),
    scope: field(4, optional(scopeType), {
      default: '*',
      doc: 'Cluster, Namespaced, or * for both. What lies below a resource has its scope.',
    }),
  },
  { doc: 'Resources that are selected: by every field at once.' },
);

export const RuleWithOperations = struct(
  'admissionregistration/v1.RuleWithOperations',
  {
    operations: field(1, list(operationType, { type: 'atomic' }), {
      doc: 'What is done to them: CREATE, UPDATE, DELETE, CONNECT; `*` is all of them and stands alone.',
    }),
    ...inline(2, Rule),
  },
  { doc: 'Resources that are selected, and what is done to them.' },
);
export type RuleWithOperations = Infer<typeof RuleWithOperations>;

export const matchPolicyType = named(
  'admissionregistration/v1.MatchPolicyType',
  documentedEnum('Exact', 'Equivalent'),
);

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  {
    resourceNames: field(1, words, { doc: 'The names of the objects; without any, all.' }),
    ...inline(2, RuleWithOperations),
  },
  { atomic: true, doc: 'Objects that are selected, and what is done to them.' },
);
export type NamedRuleWithOperations = Infer<typeof NamedRuleWithOperations>;

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
  {
    namespaceSelector: field(1, optional(LabelSelector), {
      default: {},
      doc: "Selects by the labels of the object's namespace; a Namespace by its own. Empty: all.",
    }),
    objectSelector: field(2, optional(LabelSelector), {
      default: {},
      doc: 'Selects by the labels of the object, old or new. Empty: all. Whoever writes the object can evade it.',
    }),
    resourceRules: field(3, list(NamedRuleWithOperations, { type: 'atomic' }), {
      doc: 'What is selected: what any of these matches.',
    }),
    excludeResourceRules: field(4, list(NamedRuleWithOperations, { type: 'atomic' }), {
      doc: 'What is not selected, though a resource rule matches.',
    }),
    matchPolicy: field(7, optional(matchPolicyType), {
      default: 'Equivalent',
      doc: 'Exact: only what the rules name. Equivalent: also the same objects in another group or version.',
    }),
  },
  { atomic: true, doc: 'Which requests are meant.' },
);
export type MatchResources = Infer<typeof MatchResources>;
