// FlowSchema: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';

const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1.PriorityLevelConfigurationReference',
  { name: field(1, string, { required: true, doc: 'The name of the PriorityLevelConfiguration.' }) },
  { doc: 'A reference to a PriorityLevelConfiguration.' },
);

const FlowDistinguisherMethod = struct(
  'flowcontrol/v1.FlowDistinguisherMethod',
  {
    type: field(1, named('flowcontrol/v1.FlowDistinguisherMethodType', openEnum('ByUser', 'ByNamespace')), {
      required: true,
      doc: 'ByUser separates flows by the requesting user, ByNamespace by the namespace of the request.',
    }),
  },
  { doc: 'How the requests of a FlowSchema are separated into flows.' },
);

const UserSubject = struct(
  'flowcontrol/v1.UserSubject',
  { name: field(1, string, { required: true, doc: 'The user name; * matches all users.' }) },
  { doc: 'A user.' },
);

const GroupSubject = struct(
  'flowcontrol/v1.GroupSubject',
  { name: field(1, string, { required: true, doc: 'The group name; * matches all groups.' }) },
  { doc: 'All users of a group.' },
);

const ServiceAccountSubject = struct(
  'flowcontrol/v1.ServiceAccountSubject',
  {
    namespace: field(1, string, { required: true, doc: 'The namespace of the service account.' }),
    name: field(2, string, {
      required: true,
      doc: 'The name of the service account; * matches all service accounts of the namespace.',
    }),
  },
  { doc: 'A service account.' },
);

export const Subject = struct(
  'flowcontrol/v1.Subject',
  {
    kind: field(1, named('flowcontrol/v1.SubjectKind', openEnum('User', 'Group', 'ServiceAccount')), {
      required: true,
      doc: 'User, Group or ServiceAccount. The field of the same name must be set.',
    }),
    user: field(2, optional(UserSubject), { doc: 'The user, for kind User.' }),
    group: field(3, optional(GroupSubject), { doc: 'The group, for kind Group.' }),
    serviceAccount: field(4, optional(ServiceAccountSubject), {
      doc: 'The service account, for kind ServiceAccount.',
    }),
  },
  {
    doc: 'The requesting user, group or service account.',
    union: {
      discriminator: 'kind',
      members: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' },
    },
  },
);
export type Subject = Infer<typeof Subject>;

export const ResourcePolicyRule = struct(
  'flowcontrol/v1.ResourcePolicyRule',
  {
    verbs: field(1, list(string, { type: 'set' }), {
      required: true,
      doc: 'The verbs; * alone matches all.',
    }),
    apiGroups: field(2, list(string, { type: 'set' }), {
      required: true,
      doc: 'The API groups; * alone matches all.',
    }),
    resources: field(3, list(string, { type: 'set' }), {
      required: true,
      doc: 'The resource names in the plural, optionally with a subresource such as nodes/status; * alone matches all.',
    }),
    clusterScope: field(4, bool, { doc: 'Whether requests without a namespace match.' }),
    namespaces: field(5, list(string, { type: 'set' }), {
      omitEmpty: false,
      doc: 'The namespaces; * matches every namespace. May be empty only if clusterScope is true.',
    }),
  },
  {
    doc: 'Matches resource requests: verb, API group, resource and namespace must all match.',
  },
);
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct(
  'flowcontrol/v1.NonResourcePolicyRule',
  {
    verbs: field(1, list(string, { type: 'set' }), {
      required: true,
      doc: 'The verbs; * alone matches all.',
    }),
    nonResourceURLs: field(6, list(string, { type: 'set' }), {
      required: true,
      doc: 'The URL paths. A trailing /* matches all paths below; * alone matches every non-resource path.',
    }),
  },
  { doc: 'Matches non-resource requests: verb and path must match.' },
);
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct(
  'flowcontrol/v1.PolicyRulesWithSubjects',
  {
    subjects: field(1, list(Subject, { type: 'atomic' }), {
      required: true,
      doc: 'The subjects of the request. The groups system:authenticated and system:unauthenticated together match every request.',
    }),
    resourceRules: field(2, list(ResourcePolicyRule, { type: 'atomic' }), {
      doc: 'Rules for resource requests.',
    }),
    nonResourceRules: field(3, list(NonResourcePolicyRule, { type: 'atomic' }), {
      doc: 'Rules for non-resource requests.',
    }),
  },
  { doc: 'Matches a request if any subject and any rule match.' },
);
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const FlowSchemaSpec = struct(
  'flowcontrol/v1.FlowSchemaSpec',
  {
    priorityLevelConfiguration: field(1, PriorityLevelConfigurationReference, {
      required: true,
      doc: 'The priority level of matching requests. If it does not exist, the FlowSchema is ignored.',
    }),
    matchingPrecedence: field(2, int32, {
      omitEmpty: false,
      default: 1000,
      explicitZero: 'must be a positive value',
      doc: 'The FlowSchema with the lowest precedence number among the matching ones applies. From 1 to 10000.',
    }),
    distinguisherMethod: field(3, optional(FlowDistinguisherMethod), {
      doc: 'How matching requests are separated into flows. If absent, they are one flow.',
    }),
    rules: field(4, list(PolicyRulesWithSubjects, { type: 'atomic' }), {
      doc: 'A request matches if any rule matches. An empty list matches nothing.',
    }),
  },
  { doc: 'The specification of a FlowSchema.' },
);
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

const FlowSchemaCondition = struct(
  'flowcontrol/v1.FlowSchemaCondition',
  {
    type: field(1, named('flowcontrol/v1.FlowSchemaConditionType', string), {
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a FlowSchema.' },
);

const FlowSchemaStatus = struct(
  'flowcontrol/v1.FlowSchemaStatus',
  {
    conditions: field(
      1,
      list(FlowSchemaCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the FlowSchema.' },
    ),
  },
  { doc: 'The current status of a FlowSchema.' },
);

export const FlowSchema = kind(
  'flowcontrol/v1.FlowSchema',
  {
    spec: field(2, FlowSchemaSpec, { doc: 'The specification of the FlowSchema.' }),
    status: field(3, FlowSchemaStatus, { doc: 'The current status of the FlowSchema.' }),
  },
  {
    doc: 'Assigns requests to a priority level and separates them into flows. A flow is identified by the name of the FlowSchema and the flow distinguisher.',
  },
);
export type FlowSchema = Infer<typeof FlowSchema>;
