// The schemas of RuleWithOperations, NamedRuleWithOperations and MatchResources. Field numbers are those of protobuf.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { named, openEnum, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';

const operationType = named(
  'admissionregistration/v1.OperationType',
  publishedEnum('*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
);

const scopeType = named('admissionregistration/v1.ScopeType', openEnum('Cluster', 'Namespaced', '*'));

const stringList = list(string, { type: 'atomic' });

const Rule = struct(
  'admissionregistration/v1.Rule',
  {
    apiGroups: field(1, stringList, { doc: 'The API groups; `*` alone matches all.' }),
    apiVersions: field(2, stringList, { doc: 'The API versions; `*` alone matches all.' }),
    resources: field(3, stringList, {
      doc: 'The resources: `pods`, `pods/log`, `pods/*` (all subresources of pods), `*/scale` (scale of all resources), `*` (all resources without subresources), `*/*` (all resources and subresources).',
    }),
    scope: field(4, optional(scopeType), {
      default: '*',
      doc: 'Cluster, Namespaced, or * for both. A subresource has the scope of its resource.',
    }),
  },
  { doc: 'Matches resources: all fields must match.' },
);

export const RuleWithOperations = struct(
  'admissionregistration/v1.RuleWithOperations',
  {
    operations: field(1, list(operationType, { type: 'atomic' }), {
      doc: 'The operations: CREATE, UPDATE, DELETE, CONNECT; `*` alone matches all.',
    }),
    ...inline(2, Rule),
  },
  { doc: 'Matches operations on resources.' },
);
export type RuleWithOperations = Infer<typeof RuleWithOperations>;

export const matchPolicyType = named(
  'admissionregistration/v1.MatchPolicyType',
  publishedEnum('Exact', 'Equivalent'),
);

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  {
    resourceNames: field(1, stringList, { doc: 'The object names. If empty, all objects.' }),
    ...inline(2, RuleWithOperations),
  },
  { atomic: true, doc: 'Matches operations on named objects.' },
);
export type NamedRuleWithOperations = Infer<typeof NamedRuleWithOperations>;

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
  {
    namespaceSelector: field(1, optional(LabelSelector), {
      default: {},
      doc: "Matches the labels of the object's namespace, or of the object itself if it is a Namespace. Empty matches all.",
    }),
    objectSelector: field(2, optional(LabelSelector), {
      default: {},
      doc: 'Matches the labels of the old or the new object. Empty matches all. Users can evade it by changing labels.',
    }),
    resourceRules: field(3, list(NamedRuleWithOperations, { type: 'atomic' }), {
      doc: 'A request matches if any rule matches.',
    }),
    excludeResourceRules: field(4, list(NamedRuleWithOperations, { type: 'atomic' }), {
      doc: 'Requests that are excluded even if a resource rule matches.',
    }),
    matchPolicy: field(7, optional(matchPolicyType), {
      default: 'Equivalent',
      doc: 'Exact: only the listed resources. Equivalent: also the same objects through another API group or version.',
    }),
  },
  { atomic: true, doc: 'The requests that match.' },
);
export type MatchResources = Infer<typeof MatchResources>;
