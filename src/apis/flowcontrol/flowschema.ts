// Schema of FlowSchema.

import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from './condition-status.ts';

const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1.PriorityLevelConfigurationReference',
  { name: field(1, string, { required: true, doc: 'Its name.' }) },
  { doc: 'Names a priority level.' },
);

const FlowDistinguisherMethod = struct(
  'flowcontrol/v1.FlowDistinguisherMethod',
  {
    type: field(1, named('flowcontrol/v1.FlowDistinguisherMethodType', oneOf('ByUser', 'ByNamespace')), {
      required: true,
      doc: 'Requests are told apart by who sends them, or by the namespace they are for.',
    }),
  },
  { doc: 'How requests that one schema matches are told apart into flows.' },
);

const UserSubject = struct(
  'flowcontrol/v1.UserSubject',
  { name: field(1, string, { required: true, doc: 'The name of the user; * is everybody.' }) },
  { doc: 'A user.' },
);

const GroupSubject = struct(
  'flowcontrol/v1.GroupSubject',
  { name: field(1, string, { required: true, doc: 'The name of the group; * is any group.' }) },
  { doc: 'All users of a group.' },
);

const ServiceAccountSubject = struct(
  'flowcontrol/v1.ServiceAccountSubject',
  {
    namespace: field(1, string, { required: true, doc: 'The namespace it is in.' }),
    name: field(2, string, { required: true, doc: 'Its name; * is all of that namespace.' }),
  },
  { doc: 'A service account.' },
);

export const Subject = struct(
  'flowcontrol/v1.Subject',
  {
    kind: field(1, named('flowcontrol/v1.SubjectKind', oneOf('User', 'Group', 'ServiceAccount')), {
      required: true,
      doc: 'Which of the other fields says who it is.',
    }),
    user: field(2, optional(UserSubject), { doc: 'The user, where it is one.' }),
    group: field(3, optional(GroupSubject), { doc: 'The group, where it is one.' }),
    serviceAccount: field(4, optional(ServiceAccountSubject), {
      doc: 'The service account, where it is one.',
    }),
  },
  {
    doc: 'Who sends a request.',
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
    verbs: field(1, list(string, { type: 'set' }), { required: true, doc: 'The verbs; * alone is all.' }),
    apiGroups: field(2, list(string, { type: 'set' }), {
      required: true,
      doc: 'The groups of the resources; * alone is all.',
    }),
    resources: field(3, list(string, { type: 'set' }), {
      required: true,
      doc: 'The resources, by their plural names, perhaps with a subresource as in nodes/status; * alone is all.',
    }),
    clusterScope: field(4, bool, { doc: 'Whether requests without a namespace match.' }),
    namespaces: field(5, list(string, { type: 'set' }), {
      alwaysWritten: true,
      doc: 'The namespaces; * is any, but not none. May be left out only where clusterScope is true.',
    }),
  },
  {
    doc: 'Matches requests for resources: a verb, a group and a resource must match, and the namespace or its absence.',
  },
);
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct(
  'flowcontrol/v1.NonResourcePolicyRule',
  {
    verbs: field(1, list(string, { type: 'set' }), { required: true, doc: 'The verbs; * alone is all.' }),
    nonResourceURLs: field(6, list(string, { type: 'set' }), {
      required: true,
      doc: 'The paths. One may end in /* for all below it; * alone is every path that is no resource.',
    }),
  },
  { doc: 'Matches requests for paths that are no resource: a verb and a path must match.' },
);
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct(
  'flowcontrol/v1.PolicyRulesWithSubjects',
  {
    subjects: field(1, list(Subject, { type: 'atomic' }), {
      required: true,
      doc: 'Who sends the request. The groups of the authenticated and of the others together are everybody.',
    }),
    resourceRules: field(2, list(ResourcePolicyRule, { type: 'atomic' }), {
      doc: 'What requests for resources match.',
    }),
    nonResourceRules: field(3, list(NonResourcePolicyRule, { type: 'atomic' }), {
      doc: 'What other requests match.',
    }),
  },
  { doc: 'Matches a request if a subject and one of the rules, of either sort, do.' },
);
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const FlowSchemaSpec = struct(
  'flowcontrol/v1.FlowSchemaSpec',
  {
    priorityLevelConfiguration: field(1, PriorityLevelConfigurationReference, {
      required: true,
      doc: 'The level that matching requests are handled at. Where there is none of that name, the schema is ignored.',
    }),
    matchingPrecedence: field(2, int32, {
      alwaysWritten: true,
      default: 1000,
      explicitZero: 'must be a positive value',
      doc: 'Of the schemas that match a request the one with the smallest number counts. From 1 to 10000.',
    }),
    distinguisherMethod: field(3, optional(FlowDistinguisherMethod), {
      doc: 'How matching requests are told apart. Without it they are all one flow.',
    }),
    rules: field(4, list(PolicyRulesWithSubjects, { type: 'atomic' }), {
      doc: 'What it matches: a request that any of these matches. Without any, none.',
    }),
  },
  { doc: 'Which requests, and what becomes of them.' },
);
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

const FlowSchemaCondition = struct(
  'flowcontrol/v1.FlowSchemaCondition',
  {
    type: field(1, named('flowcontrol/v1.FlowSchemaConditionType', string), { doc: 'Which condition.' }),
    status: field(2, conditionStatus, { doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When it last changed.' }),
    reason: field(4, string, { doc: 'Why it changed, in one word for machines.' }),
    message: field(5, string, { doc: 'Why it changed, in words for people.' }),
  },
  { doc: 'How the schema is at the moment in one respect.' },
);

const FlowSchemaStatus = struct(
  'flowcontrol/v1.FlowSchemaStatus',
  {
    conditions: field(
      1,
      list(FlowSchemaCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How the schema is at the moment.' },
    ),
  },
  { doc: 'How the schema is at the moment.' },
);

export const FlowSchema = kind(
  'flowcontrol/v1.FlowSchema',
  {
    spec: field(2, FlowSchemaSpec, { doc: 'Which requests, and what becomes of them.' }),
    status: field(3, FlowSchemaStatus, { doc: 'How the schema is at the moment.' }),
  },
  {
    doc: 'Says which requests belong together and at which priority level they are handled. A flow is named by the schema and by what tells its requests apart.',
  },
);
export type FlowSchema = Infer<typeof FlowSchema>;
